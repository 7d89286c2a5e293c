// SPDX-License-Identifier: BSD-3-Clause
// The built viewer as it is on disk when this file is compiled, put into the library by the assembler: a megabyte as a
// C++ literal would take seconds to compile.

#include "page_template.hpp"

#ifdef LIMBER_VIEWER_PAGE

asm(".section .rodata\n"
    ".global limber_viewer_page\n"
    ".global limber_viewer_page_end\n"
    "limber_viewer_page:\n"
    ".incbin \"" LIMBER_VIEWER_PAGE
    "\"\n"
    "limber_viewer_page_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" const char limber_viewer_page[], limber_viewer_page_end[];

namespace limber {
std::string_view page_template() { return {limber_viewer_page, limber_viewer_page_end}; }
}  // namespace limber

#else

namespace limber {
std::string_view page_template() { return {}; }
}  // namespace limber

#endif
