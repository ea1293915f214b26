//! How the report looks.

/// The style of the page, without that of drawings.
pub(super) const PAGE: &str = "\
:root{color-scheme:light dark;--ink:#111827;--dim:#64748b;--paper:#ffffff;--card:#f8fafc;--edge:#e2e8f0;\
--bad:#b91c1c;--warn:#b45309;--good:#15803d;--bar:#0072b2;--hit:#dcfce7;--part:#fef3c7;--miss:#fee2e2}
@media (prefers-color-scheme:dark){:root{--ink:#e5e7eb;--dim:#94a3b8;--paper:#0f172a;--card:#1e293b;\
--edge:#334155;--bad:#f87171;--warn:#fbbf24;--good:#4ade80;--bar:#56b4e9;--hit:#14532d66;--part:#713f1288;\
--miss:#7f1d1d88}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;color:var(--ink);\
background:var(--paper);max-width:1120px;margin:2rem auto;padding:0 1.2rem}
h1{font-size:1.7rem;margin:0 0 .3rem;overflow-wrap:anywhere}
h2{font-size:1.2rem;margin:2.2rem 0 .8rem;border-bottom:1px solid var(--edge);padding-bottom:.3rem}
h3{font-size:1rem;margin:0}
code{font:.88em ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;\
overflow-wrap:anywhere}
p.command{color:var(--dim);margin:0 0 1.2rem}
.verdict{font-size:1.1rem}
.verdict .bad{color:var(--bad);font-weight:600}
.verdict .good{color:var(--good);font-weight:600}
.verdict .warn{color:var(--warn);font-weight:600}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:.7rem;margin:1rem 0}
.card{background:var(--card);border:1px solid var(--edge);border-radius:8px;padding:.6rem .8rem}
.card b{display:block;font-size:1.35rem;font-variant-numeric:tabular-nums}
.card span{color:var(--dim);font-size:.85rem}
article.finding{border:1px solid var(--edge);border-left:4px solid var(--bad);border-radius:6px;\
padding:.8rem 1rem;margin:0 0 1rem;background:var(--card)}
.message{font-weight:400;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1rem;margin:.6rem 0 0}
dt{color:var(--dim)}
dd{margin:0;min-width:0}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:0 2rem;align-items:start}
table{border-collapse:collapse;width:100%;margin:.4rem 0 1rem;font-size:.92rem}
th{text-align:left;color:var(--dim);font-weight:500;border-bottom:1px solid var(--edge);\
padding:.25rem .6rem .25rem 0}
td{border-bottom:1px solid var(--edge);padding:.3rem .6rem .3rem 0;vertical-align:top;overflow-wrap:anywhere}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;padding-right:.9rem}
tr.found td:nth-child(2){color:var(--bad)}
tr.lost td:nth-child(2),p.lost{color:var(--warn)}
details.method{border:1px solid var(--edge);border-radius:6px;padding:.5rem .9rem;margin:0 0 .7rem}
details.method>summary h3{display:inline}
details.method>summary span{color:var(--dim);margin-left:.6rem;font-size:.9rem}
summary{cursor:pointer}
td details>summary{color:var(--dim)}
ol{margin:.3rem 0;padding-left:1.6rem}
.figure{overflow-x:auto;margin:.3rem 0;max-width:100%}
.figure svg{max-width:none;height:auto}
.note{color:var(--dim);font-size:.9rem}
.bar{display:inline-block;width:90px;height:.55em;background:var(--edge);border-radius:3px;\
vertical-align:middle;overflow:hidden}
.chances ul{margin:0;padding-left:1.4rem;list-style:none}
.chances b{font-variant-numeric:tabular-nums;font-weight:600}
.bar i{display:block;height:100%;background:var(--bar)}
table.source{font-size:.85rem;margin:.6rem 0}
table.source td{border:0;padding:0 .6rem 0 .3rem;line-height:1.45}
table.source td:nth-child(3){width:100%}
table.source td.n{color:var(--dim);user-select:none}
table.source code{white-space:pre-wrap;tab-size:4}
table.source td.marks{white-space:nowrap;text-align:right;font-size:.8rem}
tr.hit td:nth-child(3),.key.hit{background:var(--hit)}
tr.part td:nth-child(3),.key.part{background:var(--part)}
tr.miss td:nth-child(3),.key.miss{background:var(--miss)}
.key{border-radius:3px;padding:0 .35em;font-variant-numeric:tabular-nums}
@media print{
.key,table.source td{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{max-width:none;margin:0;font-size:10pt}
details::details-content{content-visibility:visible;display:block}
article,tr,.card,.figure{break-inside:avoid}
.figure{overflow:visible}
.figure svg{max-width:100%}
}
";
