/** How many columns a layer may have. PostgreSQL's own limit is 1600, less what alterations use up. */
export const MAX_COLUMNS = 1500;
