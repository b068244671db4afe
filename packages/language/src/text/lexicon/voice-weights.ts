/**
 * What little words say about how somebody speaks, for a report (above 0) or against one: words, pairs of them, `^` how a message begins, `?$` that it
 * ends as a question. Only words that are about nothing in particular; fitted with the weights of `recall.ts`.
 */
export const VOICE_WEIGHTS = `
!:-0.49 ?:-0.18 a:-0.4 about:0.55 add:-0.19 added:0.57 after:-0.24 again:0.22 all:0.03 already:0.47 although:0.19 always:0.2 an:-0.1 and:-0.4 any:0.27
are:0.14 as:0.12 at:0.15 bad:-0.1 because:-0.55 been:0.11 before:0.39 behind:0.27 being:0.1 between:0.22 big:0.22 blocked:-0.23 both:-0.12 but:0.25
by:-0.25 can:0.17 cannot:0.4 check:-0.71 come:0.12 comes:0.05 complains:-0.05 completed:-0.06 could:-0.21 count:0.1 create:-0.43 created:-0.28 d:0.14
day:0.26 days:-0.09 didn't:0.17 dies:0.19 do:-0.42 does:-0.62 doesn't:-0.17 don't:0.28 done:0.34 duplicate:-0.16 during:0.27 each:0.4 empty:0.33
error:0.09 errors:-0.3 even:0.5 every:0.47 exceeded:0.05 exception:-0.12 exist:-0.13 expired:-0.14 fail:0.18 failed:-0.15 failing:-0.1 fails:-0.26
fatal:0.31 few:0.66 fine:0.26 first:-0.2 for:-0.45 from:0.06 frozen:0.39 get:0.61 gets:0.71 gives:-0.17 go:-0.12 going:0.22 gone:0.38 good:-0.09
got:0.25 green:-0.04 growing:0.27 had:-0.25 hangs:-0.08 has:0.27 have:-0.1 hour:0.42 hours:0.38 how:-0.25 i'll:-0.67 if:0.61 in:0.17 inside:-0.2
instead:-0.31 into:-0.13 is:-0.52 isn't:-0.42 it:-0.07 it's:0.57 its:-0.32 just:0.48 keep:0.26 keeps:0.21 killed:0.16 large:0.06 last:-0.32 late:0.27
left:0.13 let's:-0.16 like:-0.18 load:0.12 loaded:0.22 loading:0.31 lock:-0.32 locked:-0.33 long:0.1 look:0.37 looks:0.09 loop:-0.12 make:-0.3
makes:0.06 many:0.12 may:0.62 me:-0.46 minute:0.31 minutes:0.24 missing:-0.22 month:0.03 moved:0.08 ms:-0.1 must:0.07 my:0.27 never:0.73 next:-0.13
no:-0.65 nobody:-0.34 none:0.1 normal:0.1 not:-0.27 nothing:0.24 now:-0.7 null:-0.16 number:0.04 of:0.19 off:0.42 ok:0.18 old:-0.15 on:-0.07
once:-0.19 one:0.19 ones:0.46 or:0.31 other:0.11 our:0.97 ours:0.46 out:0.44 over:0.24 part:-0.06 pass:-0.25 per:-0.44 please:-0.15 put:0.21
random:0.06 red:0.45 redirect:-0.29 refused:0.1 rejected:0.05 reset:0.19 restart:0.05 right:0.28 same:0.89 says:0.87 second:0.18 seconds:0.46
see:-0.27 sees:0.25 set:0.15 should:-0.76 shows:0.26 single:-0.14 size:-0.17 slow:0.23 small:-0.1 so:-0.97 some:0.07 stable:-0.1 still:0.17 stuck:0.19
successfully:-0.09 t:-0.13 takes:-0.22 than:-0.21 that:0.24 that's:-0.25 the:-0.7 their:0.3 them:0.05 then:0.3 there:0.08 these:0.08 they:0.31
thing:0.16 this:-0.32 those:0.07 though:0.26 through:0.26 time:0.2 timeout:-0.51 times:0.68 to:-0.32 too:-0.1 twice:-0.07 under:-0.21 until:0.39
up:0.67 update:-0.41 us:0.37 use:-0.21 used:0.03 uses:0.08 warning:-0.08 was:0.45 week:-0.2 well:-0.28 were:-0.29 what:0.06 when:0.46 where:-0.28
which:0.08 while:0.5 who:0.31 whole:0.04 why:0.3 with:-0.25 within:-0.04 without:-0.2 works:0.25 wrong:0.25 you:-0.39
?_?:0.96 a_day:0.09 a_few:0.54 a_minute:0.28 a_second:0.24 a_single:-0.23 add_a:-0.21 after_the:0.22 all_of:0.48 an_hour:0.18 and_a:-0.25 and_it:0.42
and_still:0.26 and_then:0.15 are_in:-0.18 are_missing:0.09 as_the:-0.19 at_all:-0.06 at_the:-0.09 because_the:-0.2 before_the:0.25 blocked_by:-0.16
but_the:-0.16 by_the:0.17 do_we:-0.06 does_not:-0.21 each_time:0.49 failed_to:0.23 for_each:-0.11 for_the:-0.5 from_the:0.43 get_a:0.37 has_a:-0.19
has_expired:0.03 has_no:-0.3 has_the:0.22 if_i:0.25 in_a:-0.21 in_our:0.24 in_the:0.1 is_a:0.09 is_at:-0.09 is_gone:0.12 is_in:-0.37 is_missing:-0.31
is_not:0.2 is_off:-0.06 is_on:-0.32 is_right:0.11 is_slow:-0.2 is_that:0.14 is_the:-0.26 it_has:0.16 it_is:0.14 it_was:0.2 minutes_and:0.31
moved_the:-0.06 of_the:0.3 on_a:-0.14 on_my:-0.09 on_the:-0.3 one_of:-0.11 out_of:0.12 right_after:0.15 says_the:0.28 shows_the:0.15 since_i:0.19
since_the:-0.11 so_the:-0.06 than_the:-0.1 that_the:0.22 the_first:-0.07 the_last:-0.11 the_load:0.06 the_new:-0.11 the_old:-0.04 the_other:0.05
the_same:0.11 the_whole:0.13 the_wrong:-0.13 to_a:0.23 to_the:0.45 too_many:0.24 until_the:0.49 when_i:0.07 when_the:0.03 which_is:-0.38
while_the:0.08 with_a:-0.23 with_the:0.33 without_a:0.12
?$:0.05 ^a:0.29 ^after:0.4 ^error:0.43 ^fatal:0.27 ^i:-0.44 ^in:0.08 ^on:0.43 ^since:0.44 ^the:-0.24 ^we:-0.1 ^what:0.14 ^when:0.13 ^with:0.07
`;
