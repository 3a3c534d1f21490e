/** Values in training phrases. Only their shapes are learned, so none has to exist; all are invented. */

import { pick, type Draw } from './templates.ts';

const digits = (draw: Draw, many: number): string =>
  Array.from({ length: many }, (_, at) => String(at === 0 ? 1 + draw(9) : draw(10))).join('');

const FIRST =
  'Anna Boris Chloe David Elif Farid Greta Hugo Irene Jonas Kim Laila Marco Nadia Oscar Paula Quinn Rosa'.split(' ');
const LAST =
  'Adler Baker Costa Dunn Evans Frost Gupta Hill Ivanov Jensen Khalil Lopez Mori Nash Olsen Park Reyes Stone'.split(
    ' ',
  );
const STREET = 'Maple Cedar Hill Park Lake River Spring Church Meadow King Washington Franklin'.split(' ');
const WAY = 'Street Road Avenue Ave Lane Drive Blvd Court St Rd Way Place'.split(' ');
const CITY = [
  'Houston',
  'San Diego',
  'Detroit',
  'Columbus',
  'Memphis',
  'Tampa',
  'Oakland',
  'Raleigh',
  'Omaha',
  'Tucson',
  'New York',
  'San Francisco',
];
const STATE = 'TX CA MI OH TN FL NC NE AZ NY WA IL'.split(' ');
const AIRPORT = 'SJC OAK TPA SLC HOU SAN PDX BNA AUS STL MKE RDU CLE PIT IND CVG'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const COLOR = 'red blue black white green grey silver pink yellow purple'.split(' ');
const SIZE = ['small', 'large', 'medium', 'XL', 'S', 'bigger', 'smaller', 'size 8', '27-inch', '1 liter', '32GB'];
const THING = (
  'shirt,headphones,bottle,chair,jigsaw,camera,monitor,skateboard,mouse,jacket,watch,boots,lamp,tablet,helmet,' +
  'mattress,grill,blender,notebook,pen,speaker,shoes,bag,phone,book,toaster,table,item,cap,hose'
).split(',');

/** Words that have nothing to do with any domain. */
const NOISE = (
  'apple,window,music,river,mountain,green,happy,running,philosophy,garden,theory,computer,language,dance,winter,' +
  'bread,politics,school,teacher,football,movie,painting,history,science,animal,tiger,coffee,dream,planet,ocean,' +
  'weather,kitchen,friend,family,letter,story,novel,poem,singer,guitar,piano,doctor,hospital,medicine,bridge,tower,' +
  'forest,flower,bird,fish,butter,cheese,sugar,salt,chess,puzzle game,riddle,mystery,king,queen,castle,army,peace,' +
  'freedom,justice,law,engine,bicycle,train,bus,street art,circle,triangle,equation,function,variable,loop,python,' +
  'server,database,commit,branch,merge,kernel,sleep,walk,swim,climb,think,believe,wonder,laugh,cry,shout,whisper,' +
  'quickly,slowly,often,never,always,perhaps,beautiful,strange,ancient,modern,favorite,funny,clever,brave,quiet'
).split(',');

const name = (draw: Draw) => `${pick(draw, FIRST)} ${pick(draw, LAST)}`;
const day = (draw: Draw) => String(1 + draw(28));
const twice = (draw: Draw, what: (draw: Draw) => string) =>
  draw(2) === 0 ? what(draw) : `${what(draw)}${pick(draw, [', ', ' and '])}${what(draw)}`;
const item = (draw: Draw) => digits(draw, 10);
const airport = (draw: Draw) => (draw(4) === 0 ? pick(draw, CITY) : pick(draw, AIRPORT));
const reservation = (draw: Draw) =>
  Array.from({ length: 6 }, () => pick(draw, [...'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789012345'])).join('');
const flight = (draw: Draw) => `HAT${digits(draw, 3)}`;
const number = (draw: Draw) =>
  draw(2) === 0 ? `${digits(draw, 1 + draw(3))}.${digits(draw, 2)}` : digits(draw, 1 + draw(3));
const date = (draw: Draw) =>
  pick(draw, [
    `20${digits(draw, 2)}-0${digits(draw, 1)}-${10 + draw(18)}`,
    `${pick(draw, MONTHS)} ${day(draw)}`,
    `the ${day(draw)}th`,
    `${day(draw)} ${pick(draw, MONTHS)}`,
    'that day',
    'next Monday',
  ]);
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
  first: (draw) => pick(draw, FIRST),
  last: (draw) => pick(draw, LAST),
  name,
  address: (draw) =>
    `${digits(draw, 1 + draw(3))} ${pick(draw, STREET)} ${pick(draw, WAY)}${pick(draw, ['', ', Apt 3', ', Suite 120', ', Unit 7'])}` +
    `, ${pick(draw, CITY)}, ${pick(draw, STATE)}${pick(draw, ['', ` ${digits(draw, 5)}`, `, ${digits(draw, 5)}, USA`])}`,
  city: (draw) => pick(draw, CITY),
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
  color: (draw) => pick(draw, COLOR),
  size: (draw) => pick(draw, SIZE),
  thing: (draw) => pick(draw, THING),
  noise: (draw) => pick(draw, NOISE),
  dob: (draw) => `19${digits(draw, 2)}-0${digits(draw, 1)}-${10 + draw(18)}`,
};
