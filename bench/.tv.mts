import { readFileSync } from 'node:fs';
import { createTriggerIndex } from '/work/main/packages/domain/src/citations/triggers.ts';
const [f, mode] = process.argv.slice(2);
for (const l of readFileSync(f!,'utf8').trim().split('\n')) { const r=JSON.parse(l); const ix=createTriggerIndex(); ix.add({id:'g',keyInsight:r.gold.key_insight,reusePattern:r.gold.reuse_pattern,triggerConditions:r.gold.trigger_conditions}); const m=ix.match(r.message); const c=m.length>0; 
 if (c!==r.surface || mode==='all') console.log(c?(r.surface?'TP':'FP'):(r.surface?'FN':'TN'), r.kind, r.id, m[0]?m[0].score.toFixed(2)+' <'+m[0].condition+'> '+m[0].words.join(' '):'', '\n    MSG', r.message.replaceAll('\n','\\n'), '\n    CND', r.gold.trigger_conditions.join('  ##  ')); }
