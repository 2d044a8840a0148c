#!/bin/sh
# Leaves one hook event as a file in $QUAY_SPOOL, then tells Quay that it is there.
# It runs on every tool call: few forks, nothing on stderr, always exit 0, no wait for Quay.
# A permission request alone waits, 4 s at most, for an answer that a rule of the person gives: what Quay says is printed.
# Without a rule, and without Quay, nothing is printed, and the CLI's own dialog decides.
# File: a header line (tab-separated: quay1, event, secret, pane, process id of the CLI), then the CLI's JSON as it came.
# Names sort by time. Outside a Quay terminal it does nothing.
[ -n "${QUAY_SPOOL-}" ] && [ -d "$QUAY_SPOOL" ] || exit 0
exec 2>/dev/null
umask 077

# date without %N prints something that is no number; the file's own time decides within a second then.
now=$(date +%s%N)
case $now in
  '' | *[!0-9]*) now=${now%%[!0-9]*}000000000 ;;
esac
name=$now-$$
part=$QUAY_SPOOL/.$name.part

{
  printf 'quay1\t%s\t%s\t%s\t%s\n' "${1-}" "${QUAY_EVENTS_SECRET-}" "${TMUX_PANE-}" "${QUAY_CLI_PID-${CLAUDE_PID-}}" && cat
} >"$part" && mv -f "$part" "$QUAY_SPOOL/$name.event" || {
  rm -f "$part"
  exit 0
}

# The secret goes through curl's configuration on stdin, so that no process list shows it.
[ -n "${QUAY_EVENTS_URL-}" ] && command -v curl >/dev/null || exit 0
say() {
  printf 'url = "%s"\nheader = "Authorization: Bearer %s"\nrequest = "POST"\ndata = "%s"\nnoproxy = "*"\nmax-time = %s\nsilent\nfail\n' \
    "$QUAY_EVENTS_URL" "${QUAY_EVENTS_SECRET-}" "$1" "$2" | curl -q -K -
}
if [ "${1-}" = PermissionRequest ]; then
  say "$name.event" 4
else
  # Its own exec: a shell would keep the stdout that the CLI reads to its end.
  (exec >/dev/null 2>&1 && say "" 2) &
fi
exit 0
