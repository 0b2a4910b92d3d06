import { heapContract } from './heap-contract.ts'

// A thousand changes take more than a second: `make conformance` has more.
heapContract(4_000)
