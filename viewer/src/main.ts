// SPDX-License-Identifier: BSD-3-Clause
import 'uplot/dist/uPlot.min.css';
import './style.css';
import {initialTheme} from './chrome';
import {readPageData} from './data';
import {element} from './dom';
import {modesPage} from './modes_page';
import {runPage} from './run_page';

initialTheme();
const app = document.getElementById('app') as HTMLElement;
const data = readPageData();
if (!data) app.replaceChildren(element('p', {class: 'no-stage'}, 'This page holds no data. `limber report RESULT.h5` writes pages that do.'));
else if (data.kind === 'run') runPage(app, data.runs);
else modesPage(app, data);
