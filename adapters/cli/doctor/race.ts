/** How many groups a process appends in a race. */
export const RACE_GROUPS = 25
/** How many places of one log, which the other wants as well, a process has to win. */
export const RACE_PLACES = 20
