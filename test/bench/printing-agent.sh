#!/bin/bash
# An agent that prints coloured lines, QUAY_BENCH_LINES a second, and otherwise is as idle-agent.sh.
stty raw -echo
name=$(date +%s%N)-$$
printf 'quay1\tSessionStart\t%s\t%s\t%s\n{"session_id":"bench-%s","source":"startup"}\n' \
  "$QUAY_EVENTS_SECRET" "$TMUX_PANE" "$$" "$$" >"$QUAY_SPOOL/.$name.part"
mv "$QUAY_SPOOL/.$name.part" "$QUAY_SPOOL/$name.event"
printf '\033[?2004h\033]7501;state=idle:app=bench\007ready\r\n'
count=0
pause=$(awk "BEGIN { print 1 / ${QUAY_BENCH_LINES:-20} }")
while :; do
  count=$((count + 1))
  printf '\033[32m%6d\033[0m src/\033[1mparser\033[22m.ts:%d  the quick brown fox jumps over the lazy dog\r\n' "$count" "$count"
  read -r -t "$pause" -n 1 _
done
