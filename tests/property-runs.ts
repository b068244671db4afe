import fc from 'fast-check';

// How often a property is tried: `npm run soak` asks for many more. A failure prints its seed.
fc.configureGlobal({ numRuns: Number(process.env['YARNBOARD_RUNS'] ?? 100) });
