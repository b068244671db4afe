// An agent that does what no agent should; which of it, its first argument says.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { writeFileSync } from 'node:fs';

const [, , manner, file] = process.argv;
const send = (frame) => process.stdout.write(`${JSON.stringify(frame)}\n`);
const ready = () => send({ type: 'ready', protocol: 1, name: manner });

const sleeper = (options = {}) =>
  spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore', ...options });

const start = {
  garbage: () => {
    process.stdout.write('this is no JSON\n[1,2]\n"text"\n{"type":"dance"}\n{"type":"text","text":1}\n{"type":"text","text":"a","more":1}\n');
    process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
    ready();
  },
  long: () => {
    for (let i = 0; i < 64; i += 1) process.stdout.write('x'.repeat(1024 * 1024));
    process.stdout.write('\n');
    ready();
  },
  half: () => {
    process.stdout.write('{"type":"rea');
    setImmediate(() => process.stdout.write('dy","protocol":1}\n{"type":"text","text":"cut o', () => process.exit(0)));
  },
  version: () => send({ type: 'ready', protocol: 99 }),
  flood: () => {
    ready();
    for (let i = 0; i < 1000; i += 1) send({ type: 'command', id: `c${i}`, name: 'sidebar', input: {} });
  },
  hopeless: () => {
    for (let i = 0; i < 1000; i += 1) process.stdout.write('no\n');
  },
  stubborn: () => {
    process.on('SIGTERM', () => {});
    process.on('SIGINT', () => {});
    const children = [sleeper(), sleeper({ detached: true })];
    for (const child of children) child.unref();
    writeFileSync(file, children.map(({ pid }) => pid).join(' '));
    setInterval(() => {}, 1000);
    ready();
  },
  crash: () => {
    process.stderr.write(
      'the token was sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijkl-AAAA\n',
      () => process.exit(7),
    );
  },
  twice: () => {
    ready();
    ready();
    send({ type: 'command', id: 'same', name: 'sidebar' });
    send({ type: 'command', id: 'same', name: 'sidebar' });
  },
  early: () => {
    send({ type: 'text', text: 'too early' });
    ready();
  },
};

start[manner]();
if (manner !== 'stubborn') createInterface({ input: process.stdin }).on('close', () => process.exit(0));
