#!/usr/bin/env bash
# Ask for the next action from a shell: requests and answers are lines of JSON.
#
#     bash examples/act.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
gpaplan generate gripper 3 -o "$folder" > "$folder/files"

coproc gpaplan act "$folder/domain.ppddl" "$folder/gripper-3.ppddl" 2> "$folder/messages"
answer() { read -r line <&"${COPROC[0]}" && echo "$line"; }

echo '{}' >&"${COPROC[1]}"  # the problem's initial state
answer
echo '{"added": ["(robot-in room-b)"], "deleted": ["(robot-in room-a)"]}' >&"${COPROC[1]}"  # somebody pushed the robot
answer
