// An agent that says six words in every turn, one after the other, and before the third waits for a file.
import { existsSync } from 'node:fs';
import { command, send, takeSeat } from './seat-frames.mjs';

const [gate] = process.argv.slice(2);

const opened = async () => {
  while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 20));
};

takeSeat(async (turn, events, sidebar) => {
  const [{ seq }] = events;
  for (let n = 1; n <= 6; n += 1) {
    if (n === 3) await opened();
    const answer = await command('chat_message', { sidebar_id: sidebar, content: `word ${n} about ${seq}` });
    if (!answer.ok) send({ type: 'text', text: `refused: ${JSON.stringify(answer.problem)}` });
  }
  send({ type: 'turn_end', turn_id: turn, text: `that was about ${seq}` });
});
