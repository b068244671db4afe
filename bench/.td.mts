import { readFileSync } from 'node:fs';
import { parseCondition } from '/work/main/packages/domain/src/citations/trigger-conditions.ts';
import { fitOf } from '/work/main/packages/domain/src/citations/trigger-fit.ts';
import { sightOf } from '/work/main/packages/domain/src/citations/trigger-sight.ts';
import { createReader } from '/work/main/packages/domain/src/citations/trigger-words.ts';
import { createTriggerIndex } from '/work/main/packages/domain/src/citations/triggers.ts';
const rd = createReader();
for (const f of process.argv.slice(2)) {
const rows = readFileSync(f,'utf8').trim().split('\n').map((l)=>JSON.parse(l)).map((r)=>{ 
 const ix=createTriggerIndex(); ix.add({id:'g',keyInsight:r.gold.key_insight,reusePattern:r.gold.reuse_pattern,triggerConditions:r.gold.trigger_conditions}); const m=ix.match(r.message);
 const fits=r.gold.trigger_conditions.map((c: string)=>({c,fit:fitOf(parseCondition(c,rd), sightOf(rd.read(r.message)),()=>1)})).sort((a: any,b: any)=>b.fit.score-a.fit.score); return {r,hit:m[0]?.score??0,best:fits[0]}; });
for (const s of [true,false]) { console.log(s?'== FN':'== FP + near'); for (const {r,hit,best} of rows.filter((x)=>x.r.surface===s).sort((a,b)=>b.best.fit.score-a.best.fit.score)) if (s? hit===0 : best.fit.score>0.5) console.log(hit.toFixed(2),best.fit.score.toFixed(2),r.kind,r.id,'<'+best.c+'> ['+best.fit.seen.map((t: any)=>t.text).join(' ')+'] '+r.message.slice(0,230).replaceAll('\n','\\n')); }
console.log('low TP:'); for (const {r,hit,best} of rows.filter((x)=>x.r.surface&&x.hit>0&&x.hit<0.7)) console.log(hit, r.id, best.c);
}
