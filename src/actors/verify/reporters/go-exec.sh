#!/bin/sh
# What Go runs a compiled program by. Of a test it keeps all that it says of its tests, and prints what Go would show.
binary=$1
shift
folder=${LOOPFOLD_REPORTS-}
is_test=
is_verbose=
for word; do
  case $word in
    -test.v | -test.v=*) is_test=yes is_verbose=yes ;;
    -test.fuzz=* | -test.bench=*) folder= ;;
    -test.*) is_test=yes ;;
  esac
done
[ -n "$folder" ] && [ -n "$is_test" ] || exec "$binary" "$@"
unset LOOPFOLD_REPORTS
report=$folder/$$-$(date +%s%N).go
pwd > "$report"
[ -n "$is_verbose" ] || set -- -test.v "$@"
"$binary" "$@" >> "$report" 2>&1
status=$?
if [ -n "$is_verbose" ]; then
  tail -n +2 "$report"
else
  tail -n +2 "$report" | grep -Ev '^(=== (RUN|PAUSE|CONT|NAME) | *--- (PASS|SKIP): )'
fi
printf '\nloopfold: exit status %s\n' "$status" >> "$report"
exit "$status"
