import { mix } from '../lib/palette.mjs';
import { circle, clip, group, line, path } from '../lib/svg.mjs';

// A portrait is cut from flat planes: one half of the face is in the light. Field: 800 by 1000.
const HEAD = 'M262 440Q254 236 400 226Q546 236 538 440Q536 560 478 626Q436 668 400 670Q364 668 322 626Q264 560 262 440Z';
const CROWNS = {
  short: (ink) => path('M250 452Q212 190 400 182Q590 190 550 452Q552 352 500 318Q400 288 300 318Q248 352 250 452Z', ink),
  parted: (ink) => path('M248 470Q200 180 410 176Q606 184 552 470Q548 380 520 340Q430 330 352 262Q300 350 262 372Q250 410 248 470Z', ink),
  long: (ink) => path('M206 830Q196 560 232 400Q258 176 400 172Q546 176 570 400Q604 560 594 830H540Q566 560 528 400Q486 290 400 272Q314 290 272 400Q236 560 262 830Z', ink),
  bun: (ink) => circle(400, 150, 74, ink) + path('M246 460Q214 200 400 190Q588 200 554 460Q540 350 470 310Q400 262 330 310Q262 350 246 460Z', ink),
  bald: (ink) => path('M252 470Q240 400 262 380Q258 420 262 476ZM548 470Q560 400 538 380Q542 420 538 476Z', ink),
  curls: (ink) => [[268, 330, 66], [318, 246, 74], [400, 214, 80], [484, 246, 74], [532, 330, 66], [246, 410, 50], [554, 410, 50]].map(([x, y, r]) => circle(x, y, r, ink)).join(''),
  scarf: (ink) => path('M170 1000Q200 760 230 620Q190 180 400 166Q610 180 570 620Q600 760 630 1000H556Q560 720 540 560Q560 300 400 276Q240 300 260 560Q240 720 244 1000Z', ink),
  bob: (ink) => path('M226 600Q196 180 400 172Q606 180 574 600Q556 640 530 636Q556 420 520 350Q470 300 400 316Q300 300 276 356Q246 430 270 636Q240 640 226 600Z', ink),
};
const BEARDS = {
  none: () => '',
  moustache: (ink) => path('M326 562Q364 536 400 552Q436 536 474 562Q440 580 400 572Q360 580 326 562Z', ink),
  full: (ink) => path('M262 470Q262 660 330 702Q400 730 470 702Q538 660 538 470Q522 540 478 552Q436 532 400 548Q364 532 322 552Q278 540 262 470Z', ink) + path('M366 592Q400 580 434 592Q400 610 366 592Z', mix(ink, '#E2583A', 0.5)),
};

/** One person. `skin` is the colour in the light, `turn` -1 or 1 is the side that it comes from. */
export function head({ skin, hair = '#17120F', crown = 'short', beard = 'none', glasses = false, age = false, cloth, trim, turn = 1, jewel = '', mark = '' }) {
  const shade = mix(skin, '#120A08', 0.56);
  const ink = '#140E0C';
  const lip = mix(skin, '#8E2218', 0.55);
  const half = 'M400 200Q416 320 402 420Q436 500 430 520Q416 534 402 536Q410 600 400 700H640V200Z';
  const eyes = [-1, 1].map((k) => group(`translate(400 0) scale(${k} 1)`, path('M34 444Q74 416 116 442Q76 464 34 444Z', '#F7EFDF') + circle(74, 442, 14, ink) + line('M28 446Q74 408 122 442', ink, 6.5) + line(`M26 404Q72 ${age ? 386 : 378} 122 402`, age ? mix(hair, '#FFFFFF', 0.1) : ink, 11))).join('');
  const lines = age ? line('M300 486Q330 498 346 490M500 486Q470 498 454 490M330 360Q400 348 470 360M340 336Q400 326 460 336M332 548Q320 568 326 590M468 548Q480 568 474 590', mix(shade, ink, 0.35), 3.4, 'opacity=".7"') : '';
  const lenses = glasses ? [316, 484].map((x) => circle(x, 446, 58, 'none', `stroke="${ink}" stroke-width="9"`)).join('') + line('M374 440Q400 424 426 440M258 440L240 430M542 440L560 430', ink, 8) : '';
  const earring = jewel ? circle(254, 528, 13, jewel) + circle(546, 528, 13, jewel) : '';
  const scarf = crown === 'scarf';
  const body = path('M70 1000Q96 790 320 742L340 640H460L480 742Q704 790 730 1000Z', cloth) + path('M336 610H464L484 748Q400 846 316 748Z', shade) + path('M400 640H468L484 748Q444 792 400 796Z', mix(shade, skin, 0.45)) + path('M320 742Q400 860 480 742L510 752Q400 920 290 752Z', trim) + path('M400 1000V868Q520 800 590 770Q710 820 730 1000Z', mix(cloth, '#FFFFFF', 0.12));
  const face = path(HEAD, shade) + clip('lit', path(HEAD, ink), path(half, skin)) + path('M252 430Q228 430 234 480Q240 530 262 528ZM548 430Q572 430 566 480Q560 530 538 528Z', shade) + line('M398 440Q382 512 378 524Q390 544 422 536', ink, 6);
  const mouth = path('M344 596Q380 578 400 588Q420 578 456 596Q424 624 400 624Q376 624 344 596Z', lip) + line('M344 596Q400 606 456 596', ink, 4);
  const all = body + face + eyes + mouth + lines + BEARDS[beard](hair) + CROWNS[crown](scarf ? cloth : hair) + (mark ? circle(400, 376, 11, mark) : '') + lenses + earring;
  return turn === 1 ? all : group('translate(800 0) scale(-1 1)', all);
}
