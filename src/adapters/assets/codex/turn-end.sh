#!/bin/sh
# Codex calls it at the end of each turn, with its report (JSON) as the last argument. It leaves the report as an event
# in $QUAY_SPOOL, as the hooks of other CLIs do, then becomes the helper that the person has set, if any: the arguments
# before the report are that helper's command. Nothing on stdout or stderr of its own.
for report; do :; done
if [ -n "${QUAY_SPOOL-}" ] && [ $# -gt 0 ]; then
  printf '%s\n' "$report" | QUAY_CLI_PID=$PPID sh "${0%/*}/../claude-plugin/hooks/spool.sh" TurnEnd
fi
[ $# -gt 1 ] && exec "$@"
exit 0
