/** Values in training phrases. All are invented, because a classifier learns only their shapes. */

import training from '#data/intent-training.json' with { type: 'json' };
import { pick, type Draw } from './templates.ts';

const digits = (draw: Draw, many: number): string =>
  Array.from({ length: many }, (_, at) => String(at === 0 ? 1 + draw(9) : draw(10))).join('');

const { words } = training;

const name = (draw: Draw) => `${pick(draw, words.first)} ${pick(draw, words.last)}`;
const day = (draw: Draw) => String(1 + draw(28));
const twice = (draw: Draw, what: (draw: Draw) => string) =>
  draw(2) === 0 ? what(draw) : `${what(draw)}${pick(draw, [', ', ' and '])}${what(draw)}`;
const item = (draw: Draw) => digits(draw, 10);
const airport = (draw: Draw) => (draw(4) === 0 ? pick(draw, words.city) : pick(draw, words.airport));
const reservation = (draw: Draw) =>
  Array.from({ length: 6 }, () => pick(draw, [...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789012345'])).join('');
const flight = (draw: Draw) => `HAT${digits(draw, 3)}`;
const number = (draw: Draw) =>
  draw(2) === 0 ? `${digits(draw, 1 + draw(3))}.${digits(draw, 2)}` : digits(draw, 1 + draw(3));
const date = (draw: Draw) =>
  pick(draw, [
    `20${digits(draw, 2)}-0${digits(draw, 1)}-${10 + draw(18)}`,
    `${pick(draw, words.month)} ${day(draw)}`,
    `the ${day(draw)}th`,
    `${day(draw)} ${pick(draw, words.month)}`,
    'that day',
    'next Monday',
  ]);
const drawId = (letter: string) => (draw: Draw) => `${letter}${digits(draw, 4)}`;
const operation = (draw: Draw) => pick(draw, [' + ', ' - ', ' * ', ' / ', '+', '-', '*']);

export const SLOTS: Readonly<Record<string, (draw: Draw) => string>> = {
  order: (draw) => (draw(4) === 0 ? `W${digits(draw, 7)}` : `#W${digits(draw, 7)}`),
  user: (draw) => `${name(draw).toLowerCase().replace(' ', '_')}_${digits(draw, 4)}`,
  email: (draw) =>
    `${name(draw)
      .toLowerCase()
      .replace(' ', pick(draw, ['.', '', '_']))}${digits(draw, 2)}@example.com`,
  zip: (draw) => digits(draw, 5),
  pay: (draw) => `${pick(draw, ['credit_card', 'gift_card', 'paypal'])}_${digits(draw, 7)}`,
  airpay: (draw) => `${pick(draw, ['credit_card', 'gift_card', 'certificate'])}_${digits(draw, 7)}`,
  item,
  items: (draw) => twice(draw, item),
  product: item,
  first: (draw) => pick(draw, words.first),
  last: (draw) => pick(draw, words.last),
  name,
  address: (draw) =>
    `${digits(draw, 1 + draw(3))} ${pick(draw, words.street)} ${pick(draw, words.way)}${pick(draw, ['', ', Apt 3', ', Suite 120', ', Unit 7'])}` +
    `, ${pick(draw, words.city)}, ${pick(draw, words.state)}${pick(draw, ['', ` ${digits(draw, 5)}`, `, ${digits(draw, 5)}, USA`])}`,
  city: (draw) => pick(draw, words.city),
  airport,
  route: (draw) =>
    `${pick(draw, ['', 'from '])}${airport(draw)}${pick(draw, [' to ', ' to ', ' - ', '-', ' > '])}${airport(draw)}`,
  date,
  flight,
  flights: (draw) => twice(draw, flight),
  reservation,
  cabin: (draw) => pick(draw, ['economy', 'business', 'basic economy', 'business class', 'basic_economy']),
  count: (draw) => pick(draw, ['one', 'two', 'three', '1', '2', '3', '4', 'a']),
  money: (draw) =>
    pick(draw, [`$${digits(draw, 3)}`, `${digits(draw, 3)} dollars`, digits(draw, 3), `${digits(draw, 2)} USD`]),
  number,
  numbers: (draw) =>
    `${number(draw)}${pick(draw, [', ', ' and '])}${number(draw)}${pick(draw, ['', `, ${number(draw)}`, ` and ${number(draw)}`])}`,
  expression: (draw) => {
    const pair = `${number(draw)}${operation(draw)}${number(draw)}`;
    return draw(2) === 0
      ? pair
      : pick(draw, [
          `(${pair})${operation(draw)}${number(draw)}`,
          `${number(draw)}${operation(draw)}(${pair})`,
          `${pair}${operation(draw)}${number(draw)}`,
        ]);
  },
  color: (draw) => pick(draw, words.color),
  size: (draw) => pick(draw, words.size),
  thing: (draw) => pick(draw, words.thing),
  noise: (draw) => pick(draw, words.noise),
  customer: drawId('C'),
  line: drawId('L'),
  bill: drawId('B'),
  plan: drawId('P'),
  device: drawId('D'),
  phone: (draw) =>
    `${digits(draw, 3)}${pick(draw, ['-', '-', ' ', ''])}${digits(draw, 3)}${pick(draw, ['-', '-', ' ', ''])}${digits(draw, 4)}`,
  gb: (draw) =>
    `${pick(draw, ['1', '2', '0.5', '1.5', '3', 'two', 'one'])}${pick(draw, [' GB', ' gigabytes', ' gigs', 'GB'])}`,
  dob: (draw) => `19${digits(draw, 2)}-0${digits(draw, 1)}-${10 + draw(18)}`,
};
