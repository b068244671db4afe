import { readFileSync } from 'node:fs';
import { createTriggerIndex } from '/work/main/packages/domain/src/citations/triggers.ts';
for (const f of process.argv.slice(2)) { let tp=0,fp=0,fn=0; const k: Record<string,[number,number]>={};
 for (const l of readFileSync(f,'utf8').trim().split('\n')) { const r=JSON.parse(l); const ix=createTriggerIndex(); ix.add({id:'g',keyInsight:r.gold.key_insight,reusePattern:r.gold.reuse_pattern,triggerConditions:r.gold.trigger_conditions}); const c=ix.match(r.message).length>0; if(c&&r.surface)tp++; else if(c)fp++; else if(r.surface)fn++; const e=k[r.kind]??=[0,0]; e[0]++; if(c)e[1]++; }
 console.log(f, 'precision',(tp/(tp+fp)).toFixed(3),'recall',(tp/(tp+fn)).toFixed(3), JSON.stringify(k)); }
