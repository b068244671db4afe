/** A thread as the tool would have written it. */
export const THREAD: readonly object[] = [
  { about: 'The leaking pond', at: 1_767_225_600 },
  { me: 'Why does the pond leak?', at: 1_767_225_601 },
  { it: 'Let me measure the kingfisher level.', at: 1_767_225_602 },
  { runs: 'cat level.txt', nth: 1, at: 1_767_225_603 },
  { says: 'level: 12', nth: 1, failed: false, at: 1_767_225_604 },
  { weather: 'fine' },
  { it: 'The liner is torn at the north end.', at: 1_767_225_606 },
];

/** What was added while somebody looked. */
export const LATER: readonly object[] = [
  { me: 'Then mend it.', at: 1_767_225_607 },
  { it: 'Mended with a patch.', at: 1_767_225_608 },
];
