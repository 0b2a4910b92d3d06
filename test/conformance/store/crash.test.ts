import { crashContract } from './crash-contract.ts'

// Each round takes a fifth of a second: `make conformance` has more.
crashContract(20)
