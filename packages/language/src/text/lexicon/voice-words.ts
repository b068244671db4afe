/** Words of somebody who has a problem; denied ones don't count. */
export const TROUBLED =
  'fail error crash stuck hang frozen freeze wrong missing empty blank nothing lost lose broken break weird strange odd random randomly flaky slow timeout killed refuse reject duplicate twice ' +
  'garbled instead although though but yet still however suddenly sometimes sporadic again only never cannot not no none nan null unknown denied dead die explode diverge jitter wobble shake stale leak ' +
  'grow bloat exception fatal panic assert fault warning complain why wtf red bail despite conflict expired locked corrupt stop throws attack forged';

/** Words of somebody who is content, or whose problem is solved. */
export const CALM =
  'works working fine good great nice nicely ok okay gone fixed solved resolved anymore already thanks thank love smoothly smooth stable stably right clean green pass accepted properly normal perfect ' +
  'continue cover guard pinned successfully complete completed done always designed expected successful ready';

/** Words that begin a task, a plan or a how-to question. */
export const ASKING =
  'please let lets add use set rotate redirect check create write update make shall should could can would which what how who where plan todo next';
