import fc from 'fast-check';
import { afterAll, afterEach } from 'vitest';
import { workOff } from './afterwards.ts';

// Before every test file. How often a property is tried, and from which seed: `npm test` tries few, always the same, so that nothing fails today that has
// not been changed since yesterday; `npm run test:all` draws a seed and prints it, and `npm run soak` tries many more (GATE-6).
fc.configureGlobal({
  numRuns: Number(process.env['YARNBOARD_RUNS'] ?? process.env['YARNBOARD_PROPERTY_RUNS'] ?? 100),
  seed: Number(process.env['YARNBOARD_PROPERTY_SEED'] ?? 1),
});

afterEach(() => workOff('test'));
afterAll(() => workOff('file'));
