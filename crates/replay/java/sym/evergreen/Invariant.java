package evergreen;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What must hold of every object of a class, in the invariant language (docs/invariant-language.md).
 *
 * <p>It is read from the class file and means nothing to a running program. Where a class has no such annotation, a
 * file {@code Class.inv} beside its source says the same.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Invariant {
    /** The text: the annotated class is its {@code root class}. */
    String value();
}
