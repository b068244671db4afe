// An agent that does the same in every turn: submits what the turn is about as a finding, says so, and ends only when it was told to by a file.
import { existsSync } from 'node:fs';
import { command, send, takeSeat } from './seat-frames.mjs';

const [gate] = process.argv.slice(2);

takeSeat(async (turn, events, sidebar) => {
  for (const { seq, text } of events)
    await command('scratchpad_entry_submitted', { sidebar_id: sidebar, content: `about ${seq}: ${text.slice(0, 80)}` });
  const look = setInterval(() => {
    if (!existsSync(gate)) return;
    clearInterval(look);
    send({ type: 'turn_end', turn_id: turn, text: `did ${events.map(({ seq }) => seq).join(', ')}` });
  }, 20);
});
