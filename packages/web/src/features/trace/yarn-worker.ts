import { createYarnDesk, type PinOrder } from './yarn-desk.ts';

const desk = createYarnDesk((answer) => postMessage(answer));

addEventListener('message', ({ data }: MessageEvent<PinOrder>) => desk(data));
