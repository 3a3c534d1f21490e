/** The retail model from which tables and tasks are made, and its products. Money is whole cents, so that sums are exact. */

import type { Address } from '../people.ts';
import type { Random } from '../random.ts';

export interface ProductType {
  readonly name: string;
  readonly plural: string;
  /** Dollars, [lowest, highest]. */
  readonly price: readonly [number, number];
  /** Option name → its values. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

export interface Variant {
  readonly itemId: string;
  readonly options: Readonly<Record<string, string>>;
  readonly available: boolean;
  readonly cents: number;
}

export interface Product {
  readonly id: string;
  readonly type: ProductType;
  /** Variants differ in options and in price. */
  readonly variants: readonly Variant[];
}

export type PaymentMethod =
  | { readonly source: 'credit_card'; readonly id: string; readonly brand: string; readonly lastFour: string }
  | { readonly source: 'paypal'; readonly id: string }
  /** The balance is whole dollars. */
  | { readonly source: 'gift_card'; readonly id: string; readonly balance: number };

export interface Customer {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly address: Address;
  /** Includes at most one gift card and one PayPal account; cards differ in brand. */
  readonly payments: readonly PaymentMethod[];
  /** Filled while orders are made. */
  readonly orders: Order[];
}

export interface OrderItem {
  readonly product: Product;
  readonly variant: Variant;
}

export type OrderStatus = 'pending' | 'processed' | 'delivered' | 'cancelled';

export interface Order {
  readonly id: string;
  readonly customer: Customer;
  readonly address: Address;
  /** Items in the order in which they were put into the basket; the same variant may come twice. */
  readonly items: readonly OrderItem[];
  readonly status: OrderStatus;
  readonly payment: PaymentMethod;
  /** Null while nothing has been sent. */
  readonly trackingId: string | null;
}

export interface RetailModel {
  readonly products: readonly Product[];
  readonly customers: readonly Customer[];
  readonly orders: readonly Order[];
}

export function sumCents(items: readonly { readonly cents: number }[]): number {
  return items.reduce((sum, item) => sum + item.cents, 0);
}

export function orderCents(order: Order): number {
  return sumCents(order.items.map((item) => item.variant));
}

/** `12.5`, `40`, `7.25`: the shortest spelling, which every longer one contains. */
export function dollars(cents: number): string {
  return String(cents / 100);
}

export function giftCard(customer: Customer): Extract<PaymentMethod, { source: 'gift_card' }> | undefined {
  return customer.payments.find((payment) => payment.source === 'gift_card');
}

/** The product types of retail packs, and the variants in stock. */
export const CATALOGUE: readonly ProductType[] = [
  {
    name: 'Bird Feeder',
    plural: 'Bird Feeders',
    price: [18, 64],
    options: { mounting: ['hook', 'pole', 'window'], capacity: ['0.5 kg', '1 kg', '2 kg'], roof: ['cedar', 'copper'] },
  },
  {
    name: 'Enamel Teapot',
    plural: 'Enamel Teapots',
    price: [26, 72],
    options: { volume: ['0.7 L', '1.1 L', '1.6 L'], colour: ['cream', 'forest green', 'navy'], infuser: ['yes', 'no'] },
  },
  {
    name: 'Sketchbook',
    plural: 'Sketchbooks',
    price: [9, 38],
    options: { format: ['A6', 'A5', 'A4'], paper: ['120 gsm', '180 gsm', '300 gsm'], binding: ['spiral', 'sewn'] },
  },
  {
    name: 'Fountain Pen',
    plural: 'Fountain Pens',
    price: [34, 148],
    options: {
      nib: ['extra fine', 'fine', 'medium', 'broad'],
      barrel: ['black resin', 'brass', 'olive wood'],
      filling: ['cartridge', 'piston'],
    },
  },
  {
    name: 'Field Lantern',
    plural: 'Field Lanterns',
    price: [29, 119],
    options: {
      brightness: ['150 lumen', '400 lumen', '900 lumen'],
      power: ['rechargeable', 'batteries', 'hand crank'],
      finish: ['matt black', 'galvanised'],
    },
  },
  {
    name: 'Wool Blanket',
    plural: 'Wool Blankets',
    price: [68, 210],
    options: {
      size: ['single', 'double', 'king'],
      weave: ['herringbone', 'twill'],
      colour: ['oatmeal', 'rust', 'slate'],
    },
  },
  {
    name: 'Whetstone',
    plural: 'Whetstones',
    price: [15, 84],
    options: { grit: ['400', '1000', '3000', '6000'], base: ['bamboo', 'rubber', 'cast iron'] },
  },
  {
    name: 'Chess Set',
    plural: 'Chess Sets',
    price: [42, 260],
    options: { board: ['30 cm', '40 cm', '50 cm'], wood: ['maple', 'walnut', 'olive'], pieces: ['weighted', 'light'] },
  },
  {
    name: 'Sleeping Mat',
    plural: 'Sleeping Mats',
    price: [38, 165],
    options: { length: ['168 cm', '183 cm', '198 cm'], thickness: ['4 cm', '7 cm', '10 cm'], filling: ['foam', 'air'] },
  },
  {
    name: 'Herb Planter',
    plural: 'Herb Planters',
    price: [22, 96],
    options: { pots: ['3', '5', '8'], material: ['terracotta', 'zinc', 'oak'], stand: ['yes', 'no'] },
  },
  {
    name: 'Ukulele',
    plural: 'Ukuleles',
    price: [58, 245],
    options: { size: ['soprano', 'concert', 'tenor'], top: ['mahogany', 'spruce', 'koa'], strings: ['nylon', 'gut'] },
  },
  {
    name: 'Stunt Kite',
    plural: 'Stunt Kites',
    price: [24, 130],
    options: { wingspan: ['120 cm', '160 cm', '220 cm'], lines: ['2', '4'], colour: ['red', 'teal', 'sunset'] },
  },
  {
    name: 'Proofing Basket',
    plural: 'Proofing Baskets',
    price: [14, 46],
    options: { shape: ['round', 'oval', 'long'], dough: ['500 g', '1000 g', '1500 g'], liner: ['linen', 'none'] },
  },
  {
    name: 'Monocular',
    plural: 'Monoculars',
    price: [44, 230],
    options: { magnification: ['6x', '8x', '10x', '12x'], lens: ['25 mm', '32 mm', '42 mm'], rainproof: ['yes', 'no'] },
  },
  {
    name: 'Folding Stool',
    plural: 'Folding Stools',
    price: [27, 108],
    options: { seat: ['canvas', 'leather', 'ash'], height: ['35 cm', '45 cm', '60 cm'], frame: ['beech', 'steel'] },
  },
  {
    name: 'Candle Box',
    plural: 'Candle Boxes',
    price: [12, 58],
    options: { candles: ['4', '8', '12'], wax: ['beeswax', 'soy', 'rapeseed'], scent: ['none', 'pine', 'fig'] },
  },
  {
    name: 'Canvas Satchel',
    plural: 'Canvas Satchels',
    price: [49, 182],
    options: { volume: ['9 L', '14 L', '20 L'], colour: ['khaki', 'charcoal', 'ochre'], buckles: ['brass', 'nickel'] },
  },
  {
    name: 'Wall Barometer',
    plural: 'Wall Barometers',
    price: [55, 198],
    options: { dial: ['10 cm', '15 cm', '20 cm'], case: ['brass', 'walnut', 'steel'], thermometer: ['yes', 'no'] },
  },
];

/** Fewer would leave nothing to choose from, more would make `get_product_details` long. */
const VARIANTS = [8, 14] as const;

export function makeProducts(random: Random, count: number): Product[] {
  const taken = new Set<string>();
  return random
    .shuffle(CATALOGUE)
    .slice(0, count)
    .map((type) => {
      const own = random.fork(type.name);
      return { id: own.freshDigits(10, taken), type, variants: makeVariants(own, type, taken) };
    });
}

function makeVariants(random: Random, type: ProductType, taken: Set<string>): Variant[] {
  const all = random.shuffle(combinations(type));
  const chosen = all.slice(0, random.int(...VARIANTS));
  const prices = new Set<number>();
  // Every fourth or so is sold out, and never the first ones: there is always something to change to.
  return chosen.map((options, at) => ({
    itemId: random.freshDigits(10, taken),
    options,
    available: at < 4 || random.chance(0.7),
    cents: freshPrice(random, type, prices),
  }));
}

function freshPrice(random: Random, type: ProductType, taken: Set<number>): number {
  for (;;) {
    const [low, high] = type.price;
    // Some prices are whole dollars: they are written `46.0`, and a reader must not make `46` of it.
    const cents = random.chance(0.12) ? random.int(low, high) * 100 : random.int(low * 100, high * 100);
    if (taken.has(cents)) continue;
    taken.add(cents);
    return cents;
  }
}

function combinations(type: ProductType): Record<string, string>[] {
  let result: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(type.options)) {
    result = result.flatMap((options) => values.map((value) => ({ ...options, [name]: value })));
  }
  return result;
}
