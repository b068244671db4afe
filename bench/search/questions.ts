/**
 * What somebody would ask who remembers a message of the published transcripts, but not its words; and a few words of it as they are typed in a hurry. Written
 * from the messages alone, before any ranking was looked at. Only the questions are ours: the transcripts are read in place and not shipped.
 */
export type Question = { readonly uuid: string; readonly plain: string; readonly misspelled: string };

const question = (uuid: string, plain: string, misspelled: string): Question => ({ uuid, plain, misspelled });

export const QUESTIONS: readonly Question[] = [
  question(
    '466ba953-021c-4d1a-8ea3-143d25e16a51',
    'simplify which value the page template gets for the link to everything',
    'tempalte combined transcript link',
  ),
  question(
    '80d3b701-2d53-4f14-aaff-43bcf8c43c47',
    'which places should put the agent name in the log records since nobody calls that helper',
    'logging.WithAgnet usage',
  ),
  question(
    '5f9c6c21-735f-41b8-8fcd-ad2dbd8936fe',
    'how does planning first compare to working with several agents in parallel',
    'single-actor verticl gate',
  ),
  question('922db485-608f-4584-80b4-339a98e012a7', 'second round report comparing teammates against plan mode', 'parallel fan-out acros worktrees'),
  question(
    '0a357e46-372d-4bd1-a896-bb9a7218ec78',
    'give me a description of how the transcript to html converter is laid out',
    'project orgnization overview',
  ),
  question(
    '469c1506-89fc-47ae-934a-b6f569fd575e',
    'what is bad about separating finished documentation from work in progress',
    'blurry boundry reference work',
  ),
  question('b8ef5777-2596-4ff9-8e22-d358045c83ca', 'the cluster does not take the container I built on my machine', 'kuberntes pull policy'),
  question(
    '71c21ede-57a7-49f2-baa4-675cdb12f2f2',
    'proposal for handling sub agents inside sub agents in a reliable way',
    'nested agent determinstic',
  ),
  question('8bd975df-8762-4f29-a5d7-b85220b62283', 'old cache is considered fine after an upgrade so the test is wrong', 'version mismtach cache'),
  question('6340ddef-f656-4b72-a065-82390f637678', 'look at which npm packages and scripts the demo has', 'devDependncies scripts package.json'),
  question('15de182e-96fb-4e8d-b839-b8d42714aaeb', 'pick the shortest folder and if equal the latest one', 'least neested path tiebreaker'),
  question(
    'e71ec410-48cd-44c3-8c31-ba8d9fe8085a',
    'messages to agents that are already finished do not wake them up',
    'SendMessage inboxs terminated',
  ),
  question('ef827578-2de5-438d-bde3-7a4a97c756f8', 'review remarks end up without the name of their file', 'inline coments attributed unknown'),
  question('4c7d4d5a-7dd4-428c-bd81-077617558182', 'a program that turns words into music', 'embeddings to sond music generation'),
  question('f4c3725c-4a0f-45fd-95a9-a9e260423dbf', 'the colour file was there already with the right text', 'cerulaen blue'),
  question(
    '319060b2-705f-48a8-95c7-68be35967aae',
    'write verses about the red Thai dish after looking up how people describe it',
    'poem thai red cury adjectives',
  ),
  question('da888976-6734-472b-938c-12d6a2aa134f', 'instructions for carol in the second round of the experiment', 'carol fresh spwan worktree'),
  question(
    '6018281c-31d6-4be5-b2cc-a4affedd7b88',
    'critique of the in-browser token counter and how to restructure it',
    'tokenizer refactorng plan architecture',
  ),
  question('fc9d250d-58c6-410f-b84f-a92efe49834e', 'the poem with emerald swirls', 'emerlad swirls creamy dream'),
  question('e073f5ee-b748-45a4-be7f-df4276fbe68d', 'moving the capture scripts from plain js to typed modules', 'data-capture typescrpt esm'),
  question(
    '76c65e11-893b-4706-abae-1bd52791ec6b',
    'write more checks for whether a stored cache still fits the release',
    '_is_cache_version_compatble',
  ),
  question(
    '4d64a7de-ab6a-4dd0-9d41-7579716a3bd7',
    'show totals of tokens and when somebody last talked on the overview page',
    'aggregated token usge index.html',
  ),
  question('ca9b4401-f4b9-4da0-9627-2f034efb1977', 'reading the time off the data models in a nicer way', 'timestmap pydantic models'),
  question('652ac92e-4084-4715-a705-6c3bac48848f', 'setting up the bundler and dev server for the sound recorder', 'vite minmal config pnpm'),
  question(
    '79cde41c-605c-45bb-8b16-3af125c89ba9',
    'is it hard to count tokens in a background thread with only three files',
    'web wroker tokenization challenges',
  ),
  question(
    'f7840a1e-4a6e-4cb6-8f15-50a77828a5aa',
    'the collapsible technical notes and usage help were written',
    'implementaion details section documentation added',
  ),
  question(
    '0256ff07-5897-438c-a48f-ca01c228d3e3',
    'root cause of review comments losing the file they belong to',
    'inline comments atribution data loss',
  ),
  question('a7c74134-3e65-4bf4-b143-fb29885030c9', 'only the first foo should be replaced', 'first occurence foo bar edit_replace_all'),
  question('0901b107-35c7-4eb1-bc01-6448b7a9b722', 'which python environment was made for the music project', 'conda enviroment aie311'),
  question('3477d62c-f38c-44d8-81af-b3ed797f0eac', 'stop the linter from putting brackets around links in blog posts', 'markdwonlint bare urls'),
  question(
    '20e2eef4-7fa3-414d-87b0-72dcdbcd0c28',
    'result of the clean up of the token counting app with the bugs that were fixed',
    'addModel overwritng models array',
  ),
  question(
    'c2495f08-6529-400c-b936-f4b76ce3d504',
    'continuous integration should run for every branch and the typing errors be repaired',
    'run on all puhs type issues',
  ),
  question('7e733248-6fc5-4581-b3d3-db3741158fdd', 'find out what is new in the latest typescript', 'typescript 5.6 new featurs'),
  question(
    '585c56eb-0930-44e8-ba9d-15819be9f443',
    'server sent events get broken when a piece of data is cut in the middle',
    'SSE parsing brittel chunk boundaries',
  ),
  question(
    'a11cf083-ca8c-4889-a96c-c855207170f8',
    'stricter checks for conditions that are always true in the new compiler',
    'disallowed nulish truthy checks',
  ),
  question(
    'b766c46a-c115-4516-950f-9e6a6f55a904',
    'versions of the frameworks in use are newer than documented',
    'tech stack versoins tailwind lucide',
  ),
  question('e6d08920-92fa-42c6-bae7-824785f7311a', 'everything sounded alike until many scales were introduced', 'musical scales pentatnoic dorian'),
  question(
    'd4809d7d-a5f1-4a91-a46a-51529ee6c757',
    'can one look things up on the internet when running without a terminal',
    'WebSearch non-interactve mode',
  ),
  question(
    'b8b87785-5feb-4b06-823b-2430b977313d',
    'remarks about lines that were not changed are missing from the extract',
    'outside diff range commnets',
  ),
  question('4778a8b8-23eb-434b-9fe4-e1472c450c1c', 'space below a folded section', 'margin-botom details not open'),
  question(
    '39e24cd7-779e-4499-a5e8-15d2a7899e11',
    'why are you so careful and always ask for permission',
    'proactivness directives tension cautious',
  ),
  question(
    'a353569b-0b6d-4873-b90e-91c3374ea6e9',
    'use a switch in place of the chain of ifs and delete a function nobody calls',
    'extractTextContnet unused',
  ),
  question(
    '7002bd4a-4559-454c-bca3-b40729ce9246',
    'review my tokenizer files thoroughly but keep everything without a build step',
    'throrough code review tokenizer ultrathink',
  ),
  question('a42c6fa0-5937-49b4-b1ad-42e99d44bef9', 'a test counts one foldable element too many', 'test_multiple_colapsible_elements'),
  question(
    '44124fd9-f7f4-4409-ae40-96f164cd92e4',
    'the text interface opens the stored page without making it again',
    'action_export_selcted cached html',
  ),
  question('f320ce42-a49c-4531-a740-3d818059c3bf', 'differences between the melodies are still too subtle', 'timbres rythms subtle variations'),
  question(
    'a249f242-5f6d-4a6c-9e84-c3a4601d129b',
    'could token counting run off the main thread without another script',
    'offlaod tokenisation worker',
  ),
  question('f42473ed-9514-42a8-a3e0-c64bdbde318a', 'strip foldable html blocks from the review text', 'details tag filterng coderabbit'),
  question('109c44c9-d1ea-4eca-9d3e-41bc22d051e5', 'the pull request that turns off telemetry was merged', 'squash mergd telemetry biome'),
  question('f7621375-c2bc-40e9-add7-5ba357ab81f7', 'build the user interface parts of the task list app', 'react componets todo app tailwind'),
  question(
    '70d18543-1995-470a-9544-a21fe5e1a5b1',
    'two poems are being written in the background and one is finished',
    'yelow curry poem agents running',
  ),
  question('9b939fd0-7581-4a0d-bcea-5631aa3ace45', 'first report on the git backed issue tracker for agents', 'research-baeds summary'),
  question(
    '8d8795e9-8250-424d-b569-ff4af372fd46',
    'later review comments are missing because not every page is fetched',
    'paginaton issues missing comments',
  ),
  question('2e27d07c-0db3-49c6-98f8-62c5f30b82d1', 'one button that starts, halts and continues the timer', 'pomodoro pasue resume toggle'),
  question(
    '323ff8f1-92b8-4cee-b110-d92bda663a21',
    'what were the breakthroughs in artificial intelligence this year',
    'breakthrouhgs video segmentation reasoning models',
  ),
  question('0bffd620-f117-4fc9-9b00-f107338947a1', 'small arbitrary edits in every file of the repository', 'minor radnom changes files'),
  question(
    '1a815cc7-16c3-416b-bdb5-604ccb6d3462',
    'find out why part of the main review body does not come out of the script',
    'outside diff range main reveiw body',
  ),
  question('734513bf-7c70-4163-9cec-01530363a9ec', 'the verses about lemongrass and the mortar', 'lemongras whispers mortar galangal'),
  question('6a6e835c-7196-4c97-890a-56f96c7271f4', 'start three helpers at once each in a separate checkout', 'spawn teammates parrallel isolation'),
  question(
    'd59e3bd2-81cb-4ef0-ae9e-9095de1584f8',
    'exclude the tools own folders so that the check before pushing succeeds',
    'biome confg ignore opencode',
  ),
];
