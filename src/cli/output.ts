/** Where commands print: results to `out`, everything else to `err`. */
export interface Output {
  out: (text: string) => void
  err: (text: string) => void
}
