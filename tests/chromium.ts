import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { PATIENCE } from './patience.ts';

const NAMES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A browser to test with: named by CHROMIUM, else installed, else (Debian, as root) installed now. Null when there is none to be had. */
export const findChromium = (): string | null => {
  const named = process.env['CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const found = NAMES.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', timeout: 120_000 });
  spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], {
    stdio: 'ignore',
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return NAMES.find((path) => existsSync(path)) ?? null;
};

export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    timeout: PATIENCE,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  });
