import { openDatabase } from '../packages/server/test/dialects/homes.ts';

// opencode at work: messages with two parts each, one transaction a message, without ever waiting for a lock. Says at the end how often it would have had to.
const [path = '', session = '', wanted = '0'] = process.argv.slice(2);
const database = openDatabase(path);
database.pragma('busy_timeout = 0');
const message = database.prepare('INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES (?, ?, ?, ?, ?)');
const part = database.prepare('INSERT INTO part (id, message_id, session_id, time_created, time_updated, data) VALUES (?, ?, ?, ?, ?, ?)');
const touch = database.prepare('UPDATE session SET time_updated = ? WHERE id = ?');

const say = database.transaction((nth: number, at: number) => {
  const id = `msg_zz${String(nth).padStart(8, '0')}`;
  message.run(id, session, at, at, JSON.stringify({ role: 'user', time: { created: at }, agent: 'build' }));
  for (const half of ['first', 'second'])
    part.run(`prt_zz${String(nth).padStart(8, '0')}${half}`, id, session, at, at, JSON.stringify({ type: 'text', text: `${half} half of ${nth}` }));
  touch.run(at, session);
});

let refused = 0;
const begunAt = Date.now();
for (let nth = 0; nth < Number(wanted); nth += 1) {
  try {
    say(nth, begunAt + nth);
    // Its log is put back into the database now and then, as SQLite does by itself.
    if (nth % 50 === 49) database.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    refused += 1; // counted, and told at the end
  }
  await new Promise((resolve) => {
    setTimeout(resolve, 2);
  });
}
database.close();
process.stdout.write(`${JSON.stringify({ refused })}\n`);
