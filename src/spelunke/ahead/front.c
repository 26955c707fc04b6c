/* The extension module through which Python calls the libraries of rules. Kernels use NumPy's arrays without a copy.

   Each kernel of a library is `int32_t kernel(const uint64_t *given, uint64_t *found)`. `given` has numbers and
   addresses in slots, in the order of the letters of the kernel's signature (docs/why/native.md). This module contains
   no data of a game. It is built against Python's stable interface, so that one build serves every Python from 3.11
   on. */
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

enum { MOST_LETTERS = 48, MOST_SLOTS = 96, MOST_OPEN = 8 };
typedef int32_t (*Run)(const uint64_t *given, uint64_t *found);

typedef struct {
    PyMethodDef method;
    Run run;
    Py_ssize_t count;       /* of arguments; letters in brackets are one argument, a tuple */
    Py_ssize_t record;      /* the size of a state in bytes */
    int brief;              /* true if calls are too short to release the GIL */
    char result;            /* i integer, x real number, ? boolean, v nothing */
    char letters[MOST_LETTERS + 1];
    char name[64];
} Kernel;

static const char KERNEL[] = "spelunke.kernel";
static const char LIBRARY[] = "spelunke.library";
static const char HELD[] = "spelunke.held";

/* Return the number of dimensions of a letter's array, or 0 if it is no array. Set the size of an element in bytes. */
static int shape_of(char letter, Py_ssize_t record, Py_ssize_t *size) {
    switch (letter) {
    case 'p': *size = record; return 1;
    case 'r': *size = record; return 0;
    case 'h': *size = 2; return 1;
    case 'H': *size = 2; return 2;
    case 'b': case '?': *size = 1; return 1;
    case 'B': *size = 1; return 2;
    case 'f': *size = 4; return 1;
    case 'F': *size = 4; return 2;
    case 'l': case 'd': *size = 8; return 1;
    case 'L': case 'D': *size = 8; return 2;
    case 'Q': *size = 8; return 4;
    default: return 0;
    }
}

/* Write the address and the lengths of an array into slots. Return the number of slots, or -1 with an exception. */
static int take_array(const Kernel *kernel, char letter, PyObject *given, Py_buffer *view, uint64_t *slots) {
    Py_ssize_t size = 0;
    int dimensions = shape_of(letter, kernel->record, &size);
    /* NumPy gives only read access to a record of an array, although kernels may change the array in place. */
    if (PyObject_GetBuffer(given, view, letter == 'r' ? PyBUF_SIMPLE : PyBUF_ND | PyBUF_WRITABLE) < 0) return -1;
    if (letter == 'r' ? view->len != size : view->ndim != dimensions || view->itemsize != size) {
        PyErr_Format(PyExc_TypeError, "%s: an array of %d dimensions with %zd bytes an element was expected",
                     kernel->name, dimensions, size);
        PyBuffer_Release(view);
        return -1;
    }
    slots[0] = (uint64_t)(uintptr_t)view->buf;
    for (int d = 0; d < dimensions; d++) slots[1 + d] = (uint64_t)view->shape[d];
    return 1 + dimensions;
}

static PyObject *wrap_up(const Kernel *kernel, int32_t status, uint64_t found) {
    if (status != 0) {
        return PyErr_Format(PyExc_RuntimeError, "%s: the kernel gave up (%d)", kernel->name, (int)status);
    }
    switch (kernel->result) {
    case 'i': return PyLong_FromLongLong((long long)(int64_t)found);
    case '?': return PyBool_FromLong(found != 0);
    case 'x': {
        double real;
        memcpy(&real, &found, sizeof real);
        return PyFloat_FromDouble(real);
    }
    default: Py_INCREF(Py_None); return Py_None;
    }
}

typedef struct {
    const Kernel *kernel;
    Py_buffer views[MOST_LETTERS];
    uint64_t slots[MOST_SLOTS];
    int held, at;
} Given;

static int take_integer(PyObject *given, uint64_t *slot) {
    long long number = PyLong_AsLongLong(given);
    if (number == -1 && PyErr_Occurred()) {
        /* NumPy's own integers convert by __index__. */
        PyErr_Clear();
        PyObject *index = PyNumber_Index(given);
        if (!index) return -1;
        number = PyLong_AsLongLong(index);
        Py_DECREF(index);
        if (number == -1 && PyErr_Occurred()) return -1;
    }
    *slot = (uint64_t)number;
    return 0;
}

/* Write one argument, or one member of a tuple, into slots. Return 0, or -1 with an exception. */
static int take(Given *all, char letter, PyObject *given) {
    if (letter == 'i' || letter == 'n') {
        if (take_integer(given, &all->slots[all->at]) < 0) return -1;
        /* It is an index into the pool before it. */
        if (letter == 'n' && all->slots[all->at] >= all->slots[1]) {
            PyErr_Format(PyExc_IndexError, "%s: the pool has no place %lld", all->kernel->name,
                         (long long)all->slots[all->at]);
            return -1;
        }
        all->at++;
        return 0;
    }
    if (letter == 'x') {
        double real = PyFloat_AsDouble(given);
        if (real == -1.0 && PyErr_Occurred()) return -1;
        memcpy(&all->slots[all->at++], &real, sizeof real);
        return 0;
    }
    int taken = take_array(all->kernel, letter, given, &all->views[all->held], all->slots + all->at);
    if (taken < 0) return -1;
    all->held++;
    all->at += taken;
    return 0;
}

static int take_all(Given *all, PyObject *const *given) {
    PyObject *tuple = NULL;
    Py_ssize_t member = 0;
    for (const char *letter = all->kernel->letters; *letter; letter++) {
        if (*letter == '(') {
            tuple = *given++;
            member = 0;
            if (!PyTuple_Check(tuple)) {
                PyErr_Format(PyExc_TypeError, "%s: a tuple was expected", all->kernel->name);
                return -1;
            }
        } else if (*letter == ')') {
            tuple = NULL;
        } else if (!tuple) {
            if (take(all, *letter, *given++) < 0) return -1;
        } else {
            PyObject *found = PyTuple_GetItem(tuple, member++);
            if (!found || take(all, *letter, found) < 0) return -1;
        }
    }
    return 0;
}

/* A kernel whose arrays are fixed. A call reads only the open integers, and keeps the GIL. */
typedef struct {
    PyMethodDef method;
    PyObject *function; /* the function of the kernel */
    Given given;
    int open[MOST_OPEN], count;
} Held;

static PyObject *call_held(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    Held *held = PyCapsule_GetPointer(self, HELD);
    if (!held) return NULL;
    if (count != held->count) {
        return PyErr_Format(PyExc_TypeError, "%s takes %d open arguments", held->given.kernel->name, held->count);
    }
    for (int k = 0; k < held->count; k++) {
        if (take_integer(given[k], &held->given.slots[held->open[k]]) < 0) return NULL;
    }
    uint64_t found = 0;
    /* Call the kernel first: among the arguments of wrap_up, C might read `found` before it runs the kernel. */
    int32_t status = held->given.kernel->run(held->given.slots, &found);
    return wrap_up(held->given.kernel, status, found);
}

static void release(PyObject *capsule) {
    Held *held = PyCapsule_GetPointer(capsule, HELD);
    while (held->given.held > 0) PyBuffer_Release(&held->given.views[--held->given.held]);
    Py_DECREF(held->function);
    PyMem_Free(held);
}

static PyObject *call(PyObject *self, PyObject *const *given, Py_ssize_t count) {
    Given all;
    all.kernel = PyCapsule_GetPointer(self, KERNEL);
    all.held = all.at = 0;
    if (!all.kernel) return NULL;
    const Kernel *kernel = all.kernel;
    if (count != kernel->count) {
        return PyErr_Format(PyExc_TypeError, "%s takes %zd arguments", kernel->name, kernel->count);
    }
    uint64_t found = 0;
    PyObject *result = NULL;
    if (take_all(&all, given) == 0) {
        int32_t status;
        if (kernel->brief) {
            status = kernel->run(all.slots, &found);
        } else {
            Py_BEGIN_ALLOW_THREADS
            status = kernel->run(all.slots, &found);
            Py_END_ALLOW_THREADS
        }
        result = wrap_up(kernel, status, found);
    }
    while (all.held > 0) PyBuffer_Release(&all.views[--all.held]);
    return result;
}

static void *symbol_of(PyObject *library, const char *name) {
    void *handle = PyCapsule_GetPointer(library, LIBRARY);
    if (!handle) return NULL;
#ifdef _WIN32
    void *found = (void *)GetProcAddress((HMODULE)handle, name);
#else
    void *found = dlsym(handle, name);
#endif
    if (!found) PyErr_Format(PyExc_AttributeError, "the library has no %s", name);
    return found;
}

static PyObject *front_open(PyObject *module, PyObject *path) {
#ifdef _WIN32
    wchar_t *name = PyUnicode_AsWideCharString(path, NULL);
    if (!name) return NULL;
    void *handle = (void *)LoadLibraryW(name);
    PyMem_Free(name);
    if (!handle) PyErr_Format(PyExc_OSError, "Windows error %lu", GetLastError());
#else
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(path, &bytes)) return NULL;
    void *handle = dlopen(PyBytes_AsString(bytes), RTLD_NOW | RTLD_LOCAL);
    Py_DECREF(bytes);
    if (!handle) PyErr_SetString(PyExc_OSError, dlerror());
#endif
    /* It is never closed, because its kernels may be called until the process ends. */
    return handle ? PyCapsule_New(handle, LIBRARY, NULL) : NULL;
}

static PyObject *front_text(PyObject *module, PyObject *args) {
    PyObject *library;
    const char *name;
    if (!PyArg_ParseTuple(args, "Os", &library, &name)) return NULL;
    const char *(*tell)(void) = (const char *(*)(void))symbol_of(library, name);
    return tell ? PyUnicode_FromString(tell()) : NULL;
}

static void forget(PyObject *capsule) { PyMem_Free(PyCapsule_GetPointer(capsule, KERNEL)); }

static PyObject *front_kernel(PyObject *module, PyObject *args) {
    PyObject *library;
    const char *symbol, *name, *letters, *result;
    Py_ssize_t record;
    int brief;
    if (!PyArg_ParseTuple(args, "Ossssnp", &library, &symbol, &name, &letters, &result, &record, &brief)) return NULL;
    Py_ssize_t length = (Py_ssize_t)strlen(letters), count = 0, slots = 0, size;
    int inside = 0;
    for (Py_ssize_t k = 0; k < length; k++) {
        if (letters[k] == '(') inside = 1;
        if (!inside || letters[k] == '(') count++;
        if (letters[k] == ')') inside = 0;
        if (!strchr("prnihHlLbB?fFdDQx()", letters[k])) {
            return PyErr_Format(PyExc_ValueError, "no argument has the letter %c", letters[k]);
        }
        if (letters[k] == 'n' && (k == 0 || letters[k - 1] != 'p' || k != 1)) {
            return PyErr_Format(PyExc_ValueError, "%s: a place follows the pool, which comes first", name);
        }
        slots += 1 + shape_of(letters[k], record, &size);
    }
    if (length > MOST_LETTERS || slots > MOST_SLOTS || strlen(name) > 63) {
        return PyErr_Format(PyExc_ValueError, "%s has too many arguments", name);
    }
    Run run = (Run)symbol_of(library, symbol);
    if (!run) return NULL;
    Kernel *kernel = PyMem_Calloc(1, sizeof(Kernel));
    if (!kernel) return PyErr_NoMemory();
    kernel->run = run;
    kernel->count = count;
    kernel->record = record;
    kernel->brief = brief;
    kernel->result = result[0];
    memcpy(kernel->letters, letters, (size_t)length + 1);
    strcpy(kernel->name, name);
    kernel->method = (PyMethodDef){kernel->name, (PyCFunction)(void (*)(void))call, METH_FASTCALL, NULL};
    PyObject *capsule = PyCapsule_New(kernel, KERNEL, forget);
    if (!capsule) {
        PyMem_Free(kernel);
        return NULL;
    }
    /* The capsule contains the method's definition. The function keeps the capsule alive as its self. */
    PyObject *function = PyCFunction_NewEx(&kernel->method, capsule, NULL);
    Py_DECREF(capsule);
    return function;
}

/* hold(kernel, argument, ...): None stands for an open integer, which each call passes. */
static PyObject *front_hold(PyObject *module, PyObject *const *given, Py_ssize_t count) {
    if (count < 1 || !PyCFunction_Check(given[0])) return PyErr_Format(PyExc_TypeError, "hold takes a kernel");
    PyObject *self = PyCFunction_GetSelf(given[0]);
    const Kernel *kernel = self && PyCapsule_IsValid(self, KERNEL) ? PyCapsule_GetPointer(self, KERNEL) : NULL;
    if (!kernel) return PyErr_Format(PyExc_TypeError, "hold takes a kernel");
    if (count - 1 != kernel->count || strchr(kernel->letters, '(')) {
        return PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, and none of them a tuple", kernel->name,
                            kernel->count);
    }
    Held *held = PyMem_Calloc(1, sizeof(Held));
    if (!held) return PyErr_NoMemory();
    held->given.kernel = kernel;
    held->function = given[0];
    Py_INCREF(held->function);
    PyObject *capsule = PyCapsule_New(held, HELD, release);
    if (!capsule) {
        Py_DECREF(held->function);
        PyMem_Free(held);
        return NULL;
    }
    for (Py_ssize_t k = 0; k < kernel->count; k++) {
        if (given[k + 1] != Py_None) {
            if (take(&held->given, kernel->letters[k], given[k + 1]) < 0) goto failed;
        } else if (kernel->letters[k] != 'i' || held->count == MOST_OPEN) {
            PyErr_Format(PyExc_TypeError, "%s: only integers, at most %d, can stay open", kernel->name, MOST_OPEN);
            goto failed;
        } else {
            held->open[held->count++] = held->given.at++;
        }
    }
    held->method = (PyMethodDef){kernel->name, (PyCFunction)(void (*)(void))call_held, METH_FASTCALL, NULL};
    PyObject *function = PyCFunction_NewEx(&held->method, capsule, NULL);
    Py_DECREF(capsule);
    return function;
failed:
    Py_DECREF(capsule);
    return NULL;
}

static PyMethodDef methods[] = {
    {"hold", (PyCFunction)(void (*)(void))front_hold, METH_FASTCALL,
     "hold(kernel, argument, ...): the kernel with these arguments; None is an integer that each call passes."},
    {"open", front_open, METH_O, "open(path): the library at this path. Raises OSError."},
    {"text", front_text, METH_VARARGS,
     "text(library, name): the text that a function of the library without arguments returns."},
    {"kernel", front_kernel, METH_VARARGS,
     "kernel(library, symbol, name, letters, result, record, brief): a kernel of the library as a function."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef_Slot slots[] = {{0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_front", "Libraries of rules, called from Python.", 0, methods, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__front(void) { return PyModuleDef_Init(&definition); }
