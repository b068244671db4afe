import { wordList } from '../stems.ts';

/** Words without a subject: they show how somebody speaks, whatever it is about. Whether both texts have one, or only one does, is evidence. */
export const MANNER_WORDS: readonly string[] = wordList(`
a about after again all already always also an and any anyone anything are as at because been before both but by can cannot each either else even
every everything exactly far few first for from had half has have if in instead into is it its itself just last least less let likely longer looks
many may maybe me might more most much must my need never no nobody none not nothing now of off on once one only or other otherwise our out over own
per perhaps plan probably rather same second seems should side since so some something still straight such than that the their them then there these
they this those though three through time today tomorrow too two under unless until up upon us used usually was we went were what when where whether
which while who why will with within without would yesterday yet you ? ?$ actually adds ago alone apart ask asked back became begin check checked code
current entirely ever exists finally found full go goes goal got happens here how however i idea important it's measured new next old originally
previously proposal reads says see seen shows somebody suggest suspect todo trace turned whatever whole wonder works activated appeared bumped came
changed closed deployed disappeared dropped enabled disabled fixed gone installed introduced landed lifted lowered merged migrated moved patched
rebased reinstalled reloaded removed renamed replaced restarted resolved restored rewritten risen rolled shipped solved started stopped switched
unblocked upgraded raised recreated retired rotated swapped converted deleted cleaned scaled added updated today's morning afternoon night noon monday
tuesday wednesday thursday friday saturday sunday weekend week month yesterday's release version season build quota limit limits peak peaks average
median worst best oldest newest biggest largest longest maximum minimum usage idle claims claimed assumed believes thinks supposed suspected
hypothesis wondering question sure wrong true false indeed disputes fine despite regardless elsewhere separate difference between which's what's how's
failed fails failing broken crash crashes error errors hangs stuck slow missing worked passes green thanks please done anybody tried spent hours days
weird strange help finished ready settled closing corrected agreed confirmed proven proves documented writing write written draft review reviewed
reviewing notes guidelines final concept chapter course collected compared lean record sprint tasks backlog planned planning quarter love nice great
happy zero fell stayed survives known forgot typo simply wasn't weren't isn't doesn't don't didn't can't won't hasn't haven't couldn't i've we've i'm
that's i'd i'll suffices introduces enforced retro postmortem decided decide recommend recommended explain explains explained learn tutorial example
examples docs nowhere randomly sporadically intermittently suddenly identical strangely puzzled confused baffled ideas clue gives gets keeps refuses
complains sees unable
`);
