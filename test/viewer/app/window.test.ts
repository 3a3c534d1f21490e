/** The rows of a long list that are in the document: those that are seen, and few more. */

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findWindow } from '../../../src/viewer/app/testing.ts';

const layout = fc.record({
  rows: fc.nat(20_000),
  rowHeight: fc.integer({ min: 20, max: 200 }),
  height: fc.integer({ min: 100, max: 3000 }),
  top: fc.integer({ min: -2_000_000, max: 3000 }),
});

test('every row that is seen is there', () => {
  fc.assert(
    fc.property(layout, ({ rows, rowHeight, height, top }) => {
      const { from, to } = findWindow(rows, rowHeight, top, height);
      const firstSeen = Math.max(0, Math.floor(-top / rowHeight));
      const lastSeen = Math.min(rows - 1, Math.floor((height - top - 1) / rowHeight));
      if (firstSeen > lastSeen) return;
      expect(from).toBeLessThanOrEqual(firstSeen);
      expect(to).toBeGreaterThan(lastSeen);
    }),
  );
});

test('the number of rows depends on the height of what is seen, not on the length of the list', () => {
  fc.assert(
    fc.property(layout, ({ rows, rowHeight, height, top }) => {
      const { from, to } = findWindow(rows, rowHeight, top, height);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(rows);
      expect(to - from).toBeGreaterThanOrEqual(0);
      expect(to - from).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 24);
    }),
  );
});
