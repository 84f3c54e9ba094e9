// The program that owns the precompiled headers; see precompiled.cmake.
int main() {}
