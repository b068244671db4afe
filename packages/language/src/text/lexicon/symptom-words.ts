import { DENYING } from './shared-words.ts';

/** Function words: they hold a phrase together and prove nothing. */
export const LITTLE_WORDS =
  'a an the and or of to in on at by for from with as is are was were be been being am it its this that these those there their they them he ' +
  'she his her we our us you your i my me so then than do does did have has had will would shall should can could may might must just also too ' +
  'very if which who whom whose what where when while although though but because since about into onto over under up down out off again ' +
  'already here now any some such own both either get gets got getting one more most much well even ever yet per via etc how why let please ' +
  'seem seems look looks like however say says said see seen thing things way through between during upon until keep keeps kept whatever ' +
  'whether themselves itself re ve ll d m t';

/** Words that narrow a symptom down, but turn up everywhere. */
export const SLIGHT_WORDS =
  'only all same after before every each first last next new old another other still always sometimes right left long large small big high low ' +
  'many few several exactly near around behind within inside outside across number count amount size second minute hour day week month year ms ' +
  'time once later early late full good bad able available whole single current previous different take use set give go come put become part ' +
  'least load';

/** Words too generic in software: none of them alone says which problem it is. */
export const GENERIC_WORDS =
  'error fail problem issue bug trouble wrong break warning exception fatal work run call make try change add update create delete remove read ' +
  'write send receive return start stop open close save store show find found need want check test build code file folder directory path line ' +
  'data value string type name key object list item row table column record message request response user customer client server service app ' +
  'application page api endpoint function method handler system process job task version config option module package library project branch ' +
  'commit release deploy state status result output input log report event host machine container image production staging local dev ' +
  'environment exist expect detect present pass limit max maximum min minimum exceed timeout slow retry repeat connect connection database ' +
  'query session access operation command script point step text content login memory cpu disk network thread window button screen view ' +
  'browser field form index reach happen occur appear missing lose cause reason multiple total group feature match valid invalid fetch upload ' +
  'download import export install handle trigger support allow deny permit require reject accept quick fast random crash dependency succeed ' +
  'kill restart source simultaneous instance';

/** Everyday software words: they tell the topic, but also occur in many texts about something else. */
export const COMMON_WORDS =
  'alter explain insert options rollback grant revoke vacuum analyze model answer middle push device arrive mail email queue icon note document order payment pay invoice price product team account address ' +
  'picture video phone mobile tablet office meeting ticket review design color theme menu header footer title link click press scroll search ' +
  'filter sort select choose tab label copy paste print question idea plan goal owner admin member guest visitor role permission public ' +
  'private secret lock unlock date today night morning zone country language locale figure sum average rate percent cost money free paid trial ' +
  'quota budget capacity traffic volume length width height depth level top bottom side head tail body end begin front back corner border map ' +
  'graph chart tree node edge root leaf parent child sibling block chunk piece segment section chapter paragraph sentence word letter ' +
  'character sign symbol space digit zero profile avatar nickname password box radio setting preference default custom extra main primary ' +
  'secondary backup clone mirror replica original draft final finish complete incomplete partial absent future past history revision edition ' +
  'archive attribute property flag tag category kind class array stack pool cache buffer shop cart basket warehouse stock delivery shipping ' +
  'port domain site web url route direction move shift drag drop turn switch toggle enable disable activate active visible hide display render ' +
  'paint draw focus hover pending wait hold leave stay remain agree approve confirm decline cancel expire renew extend signature agreement ' +
  'policy rule law control lead leading follow identify locate place position target aim gap hole empty fill alone together share shared ' +
  'common general special specific unique identical similar equal various mixed pure native foreign external internal remote global cloud home ' +
  'base core kernel engine driver motor sensor robot clock timer alarm alert notify notification noise sound voice music precision accuracy ' +
  'recall loss gain profit train training learn teach school student teacher course lesson exam batch lot bunch hundred thousand dozen ' +
  'listener observer subscriber publisher producer consumer worker manager boss holder carrier provider vendor supplier partner colleague ' +
  'friend family person people human agent bot';

/** What is wrong, or a thing's state: the predicate of a condition. If none of its predicates matches, only the topic does. */
export const PREDICATES =
  'hang slow crash missing duplicate twice grow exceed expire lock block drop stale exist fail succeed restart reset refuse deny reject ' +
  'exhaust kill corrupt leak loop flicker janky wrong random logout done empty invisible visible ignore truncate constant shrink spike explode ' +
  'throttle delay skip overload overflow conflict mismatch differ unreachable full violate timeout';

/** Words that negate what follows them. */
export const NEGATORS = `${DENYING} cannot cant dont doesnt didnt wont wouldnt isnt arent wasnt werent havent hasnt hadnt couldnt shouldnt`;

/** A sentence that begins with one of them states a plan. */
export const PLANS = 'plan idea roadmap let lets proposal todo agenda';

/** A question that begins with one of them asks how to do something. */
export const OPENERS = 'should do does which what how can could would who when where shall may is are whats hows';

/** A sentence that begins with one of them reports finished work. */
export const DONE =
  'added bumped raised migrated replaced documented renamed introduced shipped implemented refactored moved squashed upgraded pinned fixed solved resolved';

/** Words for what may or ought to be, not for what is. */
export const MODALS = 'should would could might may can shall let lets please want';

/** "As far as I can tell": ways of seeing something. */
export const SEEING = 'tell see reproduce confirm say find replicate repro verify trigger look you it this that anyone somebody someone';

/** After one of them, a sentence turns to what is wrong. */
export const TURNS = 'but still though although however yet except unfortunately';

/** A question with one of them is about a problem. */
export const TROUBLE_ASKED = 'why anyone anybody someone somebody idea sure related normal known fix avoid cause debug happen solve else help';

/** One or two words that mark good news, or something intended. */
export const GOOD_NEWS =
  'harmless, smoothly, smooth, as intended, is intended, are intended, intentional, agenda, roadmap, runbook, glossary, tutorial, workshop, handbook, postmortem, retro, ' +
  'retrospective, simulate, checklist, changelog, faq, great, glad, kudos, meetup, podcast, as expected, as planned, as designed, as hoped, ' +
  'by design, on purpose, we want, we wanted, spread evenly, to normal, is fixed, was fixed, are fixed, now fixed, is resolved, was resolved, ' +
  'is solved, quick fix, is live, are live, went well, fixed in, fixed with, fixed by, solved by, solved with, resolved in, works again, ' +
  'working again, fine again, zero times, talk about, is finished, are finished, writing docs, alert rule, alert when, alert if, release ' +
  'notes, lint rule, rid of, patched, in place, is history, been fixed, been resolved, now works, works now, defined as, stands for, meaning ' +
  'of, awesome, flawless, flawlessly, its job, down to zero, now at zero, is at zero, still at zero, stays at zero, which is fine, is expected, are none, is none, were none, all right, without a hitch, as it should, as they should, well done, good job, nice work, love the';

/** Further words of people reporting a problem, besides the predicates and negators. */
export const REPORTING =
  'error problem issue bug break warning exception fatal trouble weird odd strange stop lose miss instead only even been same gets shows says ' +
  'times again blank complain nan null undefined false red';

/** Hints of good news; each of them alone may also occur in a problem report. */
export const HINTS =
  'stable, healthy, flat, quiet, docs, configurable, optional, since then, rolled out, now in, now with, works well, works fine, looks good, ' +
  'looked good, no issue, no issues, last sprint, for later, next week, next up, is gone, are gone, now that, wiki, blog, article, mock, back ' +
  'at, fix for, the fix, the ticket, verified, wording, mockup, wireframe, criteria, estimate, lunch, offsite, standup, is green, are green, all green, ran green, cleaned up, went fine, all good, in the inbox';

export const UNITS =
  'ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days k kb mb gb tb kib mib gib byte bytes px cores rows';
