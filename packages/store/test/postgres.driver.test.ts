import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { StoreFault } from '../src/port.ts';
import { loadDriver } from '../src/postgres/driver.ts';
import { faultOf } from '../src/testing/bench.ts';

/** What Node itself says of `import('pg')` in a folder that has these files. */
const failureIn = (files: Readonly<Record<string, string>>): Error => {
  const folder = mkdtempSync(join(tmpdir(), 'yarnboard-driver-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const program = "import('pg').catch(({ code, message }) => console.log(JSON.stringify({ code, message })))";
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    const { message, ...about } = JSON.parse(stdout) as { readonly code?: string; readonly message: string }; // printed by the line above
    return Object.assign(new Error(message), about);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test('[STORE-18] the driver is loaded where it is installed', async () => {
  expect(await loadDriver()).toBe(pg);
});

test('[STORE-18] where the driver is missing, one sentence says what to install', async () => {
  const missing = failureIn({});
  const fault = await faultOf(loadDriver(() => Promise.reject(missing)));
  expect(fault).toBeInstanceOf(StoreFault);
  expect(fault).toMatchObject({ kind: 'failed', cause: missing, message: expect.stringMatching(/^[^.]*npm install pg[^.]*$/u) as string });
});

test('[STORE-18] a driver that is there and broken says so itself', async () => {
  const broken = failureIn({
    'node_modules/pg/package.json': '{"main":"index.js"}',
    'node_modules/pg/index.js': "throw new Error('half installed')",
  });
  expect(await faultOf(loadDriver(() => Promise.reject(broken)))).toBe(broken);
  expect(broken.message).toBe('half installed');
});
