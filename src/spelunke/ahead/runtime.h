/* What Numba's machine code expects of its runtime, in this library's own hands: arrays that a kernel makes for itself.

   A kernel that makes none needs nothing of it. The layout is that of numba/core/runtime/nrt.cpp (MemInfo): compiled
   code reads `data` and counts `references` by itself, and calls what stands here to make and to free. */
#ifndef SPELUNKE_RUNTIME_H
#define SPELUNKE_RUNTIME_H

#include <stdint.h>
#include <stdlib.h>

typedef struct {
    size_t references;
    void (*destroy)(void *, size_t, void *);
    void *destroy_with;
    void *data;
    size_t size;
    void *allocator;
} Block;

/* Hidden: two libraries in one process, or Numba itself, never meet each other's. */
#if defined(_WIN32)
#define PRIVATE
#else
#define PRIVATE __attribute__((visibility("hidden")))
#endif

PRIVATE void *NRT_MemInfo_alloc_aligned(size_t size, uint32_t align) {
    if (align < sizeof(void *)) align = sizeof(void *);
    if (size > SIZE_MAX - sizeof(Block) - align) return NULL;
    Block *block = malloc(sizeof(Block) + align + size);
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

PRIVATE void *NRT_MemInfo_alloc(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }

PRIVATE void NRT_MemInfo_call_dtor(void *given) {
    Block *block = given;
    if (block->destroy) block->destroy(block->data, block->size, block->destroy_with);
    free(block);
}

PRIVATE void *NRT_Allocate(size_t size) { return malloc(size); }

PRIVATE void NRT_Free(void *given) { free(given); }

#endif
