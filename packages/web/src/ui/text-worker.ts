import { createTreeMaker } from './text-trees.ts';
import type { Writing } from './writing.ts';

const treeOf = createTreeMaker();

addEventListener('message', ({ data }: MessageEvent<{ readonly id: number; readonly writing: Writing }>) => {
  postMessage({ id: data.id, tree: treeOf(data.writing) });
});
