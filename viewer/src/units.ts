// SPDX-License-Identifier: BSD-3-Clause
// Angles as a person wants to read them. Inside, everything is in radians.

export type AngleUnit = 'rad' | 'deg';

const key = 'limber-angles';

export function initialAngleUnit(): AngleUnit {
  try {
    return localStorage.getItem(key) === 'deg' ? 'deg' : 'rad';
  } catch {
    return 'rad'; // a page from a file may have no storage
  }
}

export function keepAngleUnit(unit: AngleUnit) {
  try {
    localStorage.setItem(key, unit);
  } catch {
    // Not kept, then.
  }
}

export const angleFactor = (unit: AngleUnit) => (unit === 'deg' ? 180 / Math.PI : 1);
/** "[rad/s or m/s]" as it reads with this unit. */
export const inAngleUnit = (label: string, unit: AngleUnit) => (unit === 'deg' ? label.replace(/\brad\b/g, 'deg') : label);
