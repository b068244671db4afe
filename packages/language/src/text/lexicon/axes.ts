import { stemOf, wordSet } from '../stems.ts';

/**
 * Ways in which a text may lean, whatever its subject: words for one side | words for the other. A word is on one side of one axis only; `a_b` stands
 * for two consecutive words.
 */
const AXES = `
keep: keep keeps kept retain retained remain remains remained stay stays stayed survive survives survived preserve preserves preserved persist persists persisted persistent durable saved stored stores archived forever permanent permanently recoverable restore restored untouched intact append append-only immutable left_behind holds_on sticks accumulate accumulates piles | delete deletes deleted remove removes removed drop drops dropped discard discards discarded lose loses lost loss losing gone wipe wiped wipes purge purged erased erase clear clears cleared clean_up cleans cleaned overwrite overwrites overwritten vanish vanishes evict evicted evicts expire expires expired thrown_away throws_away ephemeral volatile temporary memory_only in_memory disappears disappear forget forgotten trim trims pruned
work: works work worked working pass passes passed green ok okay fine healthy succeed succeeds succeeded success successful successfully valid correct correctly right clean complete completes finished good | fail fails failed failing failure broken breaks broke break crash crashes crashed crashing error errors dies died red wrong wrongly incorrect invalid corrupt corrupted garbled bad hangs hang stuck unhealthy throws panic panics segfault aborts aborted 500 404 halt halts truncated incomplete
allow: allow allows allowed permit permits permitted accept accepts accepted can able possible reachable accessible public open opens anyone anybody everyone freely lets through goes_through world-readable unauthenticated anonymous unrestricted unlimited exposed answers | deny denies denied reject rejects rejected refuse refuses refused forbid forbidden forbids block blocks blocked blocking cannot impossible unreachable private closed closes restricted restrict limited prevents prevented prohibit prohibited 403 401 kicked turned_away isolated locked bounce bounces
on: enabled enable enables on active activated present exists exist installed uses use used using applied applies in_use set configured supported supports implemented included includes contains has have there_is enforced enforces in_place registered mounted switched_on turned_on loaded validated validates verifies verified checks checked signed encrypted | disabled disable disables off inactive deactivated absent missing lacks lack without no none unused not_installed uninstalled ignores ignored ignore skips skipped skip bypass bypasses bypassed unset unsupported excluded unconfigured turned_off switched_off not_in nowhere plain plaintext unsigned unencrypted unchecked unverified raw
all: all every each everything everyone whole entire entirely full fully complete always any whatever both across everywhere throughout fleet total | some only part partly partial partially subset few half most certain selected mainly sometimes occasionally except half-way exclusively just specific particular tenth fifth third quarter
none: any some several many dozens hundreds thousands plenty lots numerous | no none zero nothing nobody never nowhere not_one not_a_single without
one: one single sole once same shared common global central centrally together joint jointly alone unique pooled combined | several multiple many two three four five both own separate separately different each per individual individually various dozen twice distinct dedicated divided split split_up second
early: before first beforehand upfront up_front eager eagerly early earlier start startup start-up boot immediately instantly instant at_once straight right_away directly synchronous synchronously inline preloaded prefetch prefetched blocking initially build-time ahead already precomputed compile-time | after afterwards later late last end finally lazily lazy on_demand on-demand eventually delayed deferred background async asynchronous asynchronously queue queued queues batch exit teardown subsequently runtime afterward request-time query-time on_the_fly
auto: automatic automatically auto itself themselves scripted bot cron scheduled generated machine generates robot unattended programmatically nightly pipeline job self | manual manually by_hand hand someone somebody human person people operator click clicks clicked button typed edited author editor staff team colleague approval approves approve
often: continuous continuously constantly constant always every frequently often repeatedly repeated retry retries retried retrying again again_and_again many_times polling polled polls periodic periodically hourly minute second | once never rarely single only_once one-time one_time one-off weekly monthly yearly daily seldom event interrupt pushed push
same: same identical equal equals match matches matched matching agrees agree unchanged constant consistent deterministic reproducible bit-identical fixed alike stable static sync synced | different differs differ differently mismatch mismatched diverge diverges unequal varies vary changes changed random randomly nondeterministic inconsistent flaky unstable dynamic another other new drift drifted drifts out_of_sync
up: up increase increases increased increasing grow grows grew growing rise rises rose rising more higher larger bigger greater double doubled doubles climb climbs above over exceed exceeds beyond longer plus faster spike spikes | down decrease decreases decreased reduce reduces reduced shrink shrinks fall falls fell falling less lower smaller fewer half halved drops below under within shorter minus slower flat
fast: fast faster quick quickly instant instantly immediate immediately snappy milliseconds ms short | slow slower slowly sluggish delayed minutes hours long late lag lags lagging takes_ages
server: server server-side backend origin host central gateway proxy database | client client-side browser frontend device local locally app user edge peer
parallel: parallel concurrent concurrently simultaneously multithreaded threads multi-threaded workers pool fan-out interleaved overlapping | serial serially sequential sequentially one_by_one one_after single-threaded single_thread turn in_turn queue exclusive mutex lock
memory: memory ram cache cached caches heap buffer in-memory redis memcached hit hits | disk file files filesystem database db table persisted fresh recomputed uncached bypass bypasses miss recalculated
secure: encrypted encrypts encryption tls https hashed hash hashes salted masked masks redacted redacts scrubbed protected signed secret hidden bcrypt argon2 mtls escaped parameterised parameterized sanitised sanitized wireguard | plaintext plain clear cleartext unencrypted http readable visible leaks leaked exposed verbatim unmasked unsigned raw unescaped open concatenated
strict: must required requires require mandatory needs need needed enforced strict forced compulsory necessary gate blocking blocks | optional optionally may warning warn advisory suggestion tolerated lenient loose unnecessary needless ignored skip bypass without
old: old legacy deprecated outdated stale previous former original existing v1 past | new newest current latest fresh modern replaced rewritten updated up-to-date recent
order: ascending oldest first fifo in_order ordered sorted front top forward forwards chronological newest_last | descending newest reverse reversed lifo out_of_order unordered unsorted arbitrary random backwards backward bottom last
whole: full complete entire whole everything all wholesale snapshot rebuild rebuilds scratch from_scratch recreated | incremental incrementally delta deltas diff partial changed changes only_changed part patch chunk chunks chunked append
direct: direct directly straight point-to-point bypasses native natively | indirect indirectly via through proxy proxied intermediary gateway broker queue behind layer wrapper bridge
bound: limit limited limits cap capped maximum max quota bounded throttled throttles threshold timeout | unlimited unbounded unthrottled infinite infinitely no_limit without_limit forever endless endlessly never_stops
share: shared shares share common pool reused reuse reuses singleton global | separate own dedicated isolated private per individual copy copies duplicated each_own
known: documented described mentioned mentions says states listed lists explained written covered | undocumented unmentioned omitted omits silent nothing_about not_mentioned missing
cause: cause caused causes because due reason responsible culprit blame to_blame source comes_from results root | unrelated innocent irrelevant regardless independent coincidence not_involved nothing_to_do elsewhere despite same_without
used: used uses use referenced called calls needed live reachable read reads consumed consumer invoked executes executed executes runs run | unused dead unreferenced uncalled orphaned orphan idle ignored nobody_reads never_called leftover unread
alive: running runs alive up online ready healthy started starts serves listening connected | down stopped stops dead offline killed terminated exited unreachable crashed disconnected idle closed
exact: exact exactly precise precisely accurate lossless bit-exact exact | approximate approximately roughly about rounded rounds estimate estimated lossy truncated truncates cut
sender: sends send sent push pushes pushed emits emit publishes published writes write written writer produces | receives receive received pulls pull pulled polls poll reads read reader consumes fetches fetched
mutable: writable editable edited edit edits changeable mutable modifies modified alter altered update updates updated rewritten change | immutable read-only readonly frozen fixed append-only untouchable sealed locked unchanged
visible: visible shown shows show displayed displays appears appear see seen rendered renders offered listed | hidden hides invisible concealed disappears missing absent unseen suppressed blank greyed
real: real genuine exploitable true confirmed actual reproducible reproduced | false bogus fake spurious phantom misread misreading unconfirmed false_positive false_alarm not_reproducible
inside: inside within internal internally in-process embedded builtin built-in bundled local onboard on-device in_the_same | outside external externally remote out-of-process separate third-party cloud elsewhere
integer: integer integers int whole cents bigint numeric decimal | float floats floating double fractional string text
gradual: gradual gradually staged canary rolling percent phased slowly step | at_once big-bang everyone immediately all_at_once instantly abrupt
`;

type Place = { readonly axis: number; readonly side: 1 | -1 };
const read = (): { readonly places: ReadonlyMap<string, readonly Place[]>; readonly count: number } => {
  const places = new Map<string, Place[]>();
  const lines = AXES.trim().split('\n');
  for (const [axis, line] of lines.entries()) {
    const sides = line.slice(line.indexOf(':') + 1).split('|');
    for (const [at, words] of sides.entries())
      for (const word of words.trim().split(/\s+/u)) {
        const key = word.split('_').map(stemOf).join(' ');
        const known = places.get(key) ?? [];
        if (!known.some((place) => place.axis === axis)) places.set(key, [...known, { axis, side: at === 0 ? 1 : -1 }]);
      }
  }
  return { places, count: lines.length };
};
const { places: PLACES, count: COUNT } = read();
const LONGEST = 4;
const DENYING = wordSet('not no never cannot without nobody nothing none neither nor hardly isnt arent doesnt dont cant wont');
/** Words that end the reach of a "not". */
const ENDS = wordSet('but and however although though while whereas so because');
const REACH = 5;

/** For each axis, which side a text leans to, and how strongly; denied words count for the other side. */
export const stanceOf = (words: readonly string[]): Int8Array => {
  const stance = new Int8Array(COUNT);
  const stems = words.map(stemOf);
  let denied = 0;
  for (const [at, word] of words.entries()) {
    const isDenying = DENYING.has(word) || word.endsWith("n't");
    if (ENDS.has(word)) denied = 0;
    for (let size = 1, key = ''; size <= LONGEST && at + size <= words.length; size += 1) {
      key = size === 1 ? (stems[at] ?? '') : `${key} ${stems[at + size - 1] ?? ''}`;
      for (const { axis, side } of PLACES.get(key) ?? []) stance[axis] = (stance[axis] ?? 0) + (denied > 0 && !isDenying ? -side : side);
    }
    denied = isDenying ? REACH : Math.max(0, denied - 1);
  }
  return stance;
};
