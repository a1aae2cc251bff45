// The moments that the suite's fixture is built around.

/** 2026-01-05T10:00:00Z, a Monday. */
export const NOW = 1_767_607_200
export const DAY = 86_400
