#!/bin/sh
# An agent at rest: says that its session is there, draws its line, and then reads and prints nothing for ever.
stty raw -echo
name=$(date +%s%N)-$$
printf 'quay1\tSessionStart\t%s\t%s\t%s\n{"session_id":"bench-%s","source":"startup"}\n' \
  "$QUAY_EVENTS_SECRET" "$TMUX_PANE" "$$" "$$" >"$QUAY_SPOOL/.$name.part"
mv "$QUAY_SPOOL/.$name.part" "$QUAY_SPOOL/$name.event"
printf '\033[?2004h\033]7501;state=idle:app=bench\007ready\r\n'
exec cat >/dev/null
