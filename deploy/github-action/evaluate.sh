#!/usr/bin/env bash
# Runs or resumes an evaluation and reports it: Markdown (also as the job's summary), JUnit and HTML beside the run
# log. Exits with 0 only if the run is complete, passes the gates and is not worse than the baseline.
set -euo pipefail

run_id=$TAUFLOW_RUN_ID
log_dir=$TAUFLOW_LOG_DIR
report=$log_dir/$run_id.md
tauflow() { node "$TAUFLOW" "$@"; }

# Splits the flags by the quoting rules of a shell, without expansion.
flags=()
while IFS= read -r flag; do flags+=("$flag"); done < <(xargs -n 1 printf '%s\n' <<<"$TAUFLOW_FLAGS")

code=0
tauflow run --run-id "$run_id" --log-dir "$log_dir" "${flags[@]}" || code=$?
# With 1, some episodes ended in an error, and there is a report. With other codes there is none.
if [ "$code" -gt 1 ]; then exit "$code"; fi

gates=()
if [ -n "$TAUFLOW_FAIL_UNDER" ]; then gates=(--fail-under "$TAUFLOW_FAIL_UNDER"); fi
strict=()
if [ "$TAUFLOW_FAIL_ON_REGRESSION" = true ]; then strict=(--fail-on-regression); fi
while IFS= read -r gate; do
  # The drop from the baseline is a figure of the comparison.
  if [[ -n $TAUFLOW_BASELINE && $gate =~ ^[[:space:]]*drop ]]; then
    strict+=(--fail-if "$gate")
  elif [[ $gate =~ [^[:space:]] ]]; then
    gates+=(--fail-if "$gate")
  fi
done <<<"$TAUFLOW_FAIL_IF"
tauflow report "$run_id" --log-dir "$log_dir" --format junit "${gates[@]}" --output "$log_dir/$run_id.junit.xml" \
  >/dev/null 2>&1 || true
tauflow report "$run_id" --log-dir "$log_dir" --format html --output "$log_dir/$run_id.html" || true
tauflow report "$run_id" --log-dir "$log_dir" --format markdown "${gates[@]}" >"$report" || code=$?

if [ -n "$TAUFLOW_BASELINE" ]; then
  if [ -f "$TAUFLOW_BASELINE" ]; then
    compared=("$TAUFLOW_BASELINE" "$log_dir/$run_id")
  else
    compared=("$log_dir/$run_id" --baseline "$TAUFLOW_BASELINE")
  fi
  printf '\n' >>"$report"
  tauflow compare "${compared[@]}" --log-dir "$log_dir" --format markdown "${strict[@]}" >>"$report" || code=$?
fi

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  print_reward='process.stdout.write(String(JSON.parse(fs.readFileSync(process.argv[1], "utf8")).average_reward ?? ""))'
  reward=$(node -e "$print_reward" "$log_dir/$run_id/metrics.json")
  printf 'reward=%s\nreport=%s\n' "$reward" "$report" >>"$GITHUB_OUTPUT"
fi
exit "$code"
