#!/bin/sh
# Makes the store of version 3 and what the program that wrote it answered. Run in the root of a checkout of
# commit 915950d, the last before version 4, after building it:  make_version3.sh PROGRAM FOLDER
set -eu
program=$1 folder=$2
store=sqlite:$folder/version3.db

# Measurements of a real device, for both methods from blocks and all baselines.
"$program" evaluate lenet5 --batch 10 --rig recorded:data/h200_lenet5_batch10.jsonl.gz --seed 11 --points 6 \
  --precision 0.03 --point-seconds 1.4 --timings 400 --windows 18 --networks 40 --baseline-limit 45 --store "$store"
# One observation at least of every other mark there was.
"$program" profile cnn5 --method ampere --points 4 --test-points 2 --rig sim:xavier --store "$store"
"$program" run cnn5 --no-learning --rig sim:xavier --store "$store"
"$program" profile cnn5 --timings 40 --windows 8 --rig sim:xavier --store "$store"
"$program" kernels measure squeezenet --rig sim:xavier --configurations 40 --store "$store"

cp "$folder/version3.db" "$folder/asked.db"
asked=sqlite:$folder/asked.db
estimate() { "$program" estimate "$@" --store "$asked" --json; }
{
  for method in dual ampere flops flops+constant flops+layers params layers activations neuralpower; do
    estimate lenet5:5,12,40,30 --profile 1 --method "$method"
  done
  for method in dual ampere; do estimate cnn5:5,9,33,50 --profile 5 --method "$method"; done
  for method in kernels kernels-forest; do estimate squeezenet --mode inference --profile 6 --method "$method"; done
} > "$folder/estimates.jsonl"
"$program" profiles --store "$asked" --json > "$folder/profiles.jsonl"
"$program" kernels export --profile 6 --store "$asked" > "$folder/kernels.csv"
for profile in 5 6; do
  "$program" profiles export $profile --store "$asked" --output "$folder/profile$profile.json"
done
gzip -9n "$folder/version3.db" "$folder"/profile?.json
rm "$folder"/asked.db*
