/* The part of Numba's runtime that compiled kernels call. They need it only for arrays that a kernel makes itself.

   The layout of a block is that of numba/core/runtime/nrt.cpp (MemInfo) on a 64-bit machine. Compiled code reads
   `data`, counts `references`, and calls the functions below to make and to free blocks. WebAssembly has 32-bit
   pointers, so each field is aligned to 8 bytes, and sizes have 64 bits. */
#ifndef SPELUNKE_RUNTIME_H
#define SPELUNKE_RUNTIME_H

#include <stdint.h>
#include <stdlib.h>

typedef struct {
    _Alignas(8) uint64_t references;
    _Alignas(8) void (*destroy)(void *, uint64_t, void *);
    _Alignas(8) void *destroy_with;
    _Alignas(8) void *data;
    _Alignas(8) uint64_t size;
    _Alignas(8) void *allocator;
} Block;

/* The functions are hidden, so that several libraries in one process, and Numba, each call their own. */
#if defined(_WIN32)
#define PRIVATE
#else
#define PRIVATE __attribute__((visibility("hidden")))
#endif

PRIVATE void *NRT_MemInfo_alloc_aligned(uint64_t size, uint32_t align) {
    if (align < sizeof(void *)) align = sizeof(void *);
    if (size > SIZE_MAX - sizeof(Block) - align) return NULL;
    Block *block = malloc((size_t)(sizeof(Block) + align + size));
    if (!block) return NULL; /* the kernel reports it */
    uintptr_t at = (uintptr_t)(block + 1);
    block->references = 1;
    block->destroy = NULL;
    block->destroy_with = NULL;
    block->data = (void *)((at + align - 1) / align * align);
    block->size = size;
    block->allocator = NULL;
    return block;
}

PRIVATE void *NRT_MemInfo_alloc(uint64_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }

PRIVATE void NRT_MemInfo_call_dtor(void *given) {
    Block *block = given;
    if (block->destroy) block->destroy(block->data, block->size, block->destroy_with);
    free(block);
}

/* Give an array another shape without moving its elements. Write the new strides and return 1, or return 0 if the
   elements would have to move. Old and new dimensions are matched in groups with equal numbers of elements. Within a
   group, the elements must be contiguous. */
PRIVATE int numba_attempt_nocopy_reshape(int64_t count, const int64_t *lengths, const int64_t *strides,
                                         int64_t new_count, const int64_t *new_lengths, int64_t *new_strides,
                                         int64_t size, int by_columns) {
    int64_t old[32], steps[32], kept = 0, at = 0, whole = 1;
    if (by_columns || count > 32) return 0;
    for (int64_t k = 0; k < count; k++) {
        whole *= lengths[k];
        if (lengths[k] == 1) continue; /* its stride has no effect */
        old[kept] = lengths[k];
        steps[kept++] = strides[k];
    }
    if (whole == 0 || kept == 0) {
        int64_t step = size;
        for (int64_t k = new_count; k-- > 0;) {
            new_strides[k] = step;
            step *= new_lengths[k] ? new_lengths[k] : 1;
        }
        return 1;
    }
    int64_t fresh = 0;
    while (at < kept) {
        int64_t last = at, end = fresh, one = old[at], other = 1;
        while (end < new_count && other < one) other *= new_lengths[end++];
        while (one != other) {
            if (one < other) {
                if (++last >= kept) return 0;
                if (steps[last - 1] != old[last] * steps[last]) return 0;
                one *= old[last];
            } else {
                if (end >= new_count) return 0;
                other *= new_lengths[end++];
            }
        }
        int64_t step = steps[last];
        for (int64_t k = end; k-- > fresh;) {
            new_strides[k] = step;
            step *= new_lengths[k];
        }
        at = last + 1;
        fresh = end;
    }
    for (; fresh < new_count; fresh++) new_strides[fresh] = size; /* of length 1 */
    return 1;
}

PRIVATE void *NRT_Allocate(uint64_t size) { return size > SIZE_MAX ? NULL : malloc((size_t)size); }

PRIVATE void NRT_Free(void *given) { free(given); }

#endif
