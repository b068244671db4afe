import { createDrawingDesk, type DrawingOrder } from './drawing-desk.ts';

const desk = createDrawingDesk({ post: (answer) => postMessage(answer), later: (work) => setTimeout(work, 0) });

addEventListener('message', ({ data }: MessageEvent<DrawingOrder>) => desk(data));
