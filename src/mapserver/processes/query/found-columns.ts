// The columns of a layer whose places were found: what was asked, how well the answer fits, and what else there was.

/** The columns that geocoding adds, in this order; the point comes behind them. */
export const FOUND_COLUMNS = [
  { label: 'geocode_address', type: 'text' },
  { label: 'geocode_state', type: 'text' },
  { label: 'geocode_score', type: 'double precision' },
  { label: 'geocode_match', type: 'text' },
  { label: 'geocode_source', type: 'text' },
  { label: 'geocode_candidates', type: 'jsonb' },
] as const;
