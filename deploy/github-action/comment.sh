#!/usr/bin/env bash
# Writes the report into one comment of the pull request, which later runs replace.
set -euo pipefail

if [ ! -f "${TAUFLOW_REPORT:-}" ]; then
  echo 'no report was made, so there is nothing to comment'
  exit 0
fi
marker="<!-- tauflow: $TAUFLOW_COMMENT -->"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
# GitHub accepts 65,536 characters.
printf '%s\n' "$marker" >"$body"
print_start='process.stdout.write(fs.readFileSync(process.argv[1], "utf8").slice(0, 60_000))'
node -e "$print_start" "$TAUFLOW_REPORT" >>"$body"

comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
id=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field body=@"$body"
else
  gh api --silent --method POST "$comments" --field body=@"$body"
fi
