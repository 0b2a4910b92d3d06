import { heapContract } from './heap-contract.ts'

heapContract(10_000)
