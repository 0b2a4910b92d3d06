/** Is told of steps of some 50 ns each, before they are made; throws to have no more of them. */
export type Spend = (units: number) => void
